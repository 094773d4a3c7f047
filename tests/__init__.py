"""Everything that Roost promises, asked as a person would."""
