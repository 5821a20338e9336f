"""The gRPC services, and the gate through which every call comes."""
