"""The statistical checks of the gate (METHOD 5), one criterion a module. Every threshold comes from the policy."""
