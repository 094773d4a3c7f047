"""What Roost says: values of the model in, messages out."""
