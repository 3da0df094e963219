package dev.signet.servers;

/** How a server lets clients connect. */
public enum Transport {
    /** Without encryption. */
    PLAIN,
    /** With TLS and nothing else; the server's certificate is of an authority of its own. */
    TLS
}
