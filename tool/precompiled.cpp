// Empty: the headers that groups of targets precompile need a file to belong to.
