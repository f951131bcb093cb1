"""The shape of every answer. What is not declared here does not leave the API."""
