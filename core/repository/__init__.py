"""What a repository makes agents run or obey: its files in, plain findings out."""
