package dev.signet.fence.jdbc;

/** What a fence must do, told once: run against the real one as a test, and against each broken one to see it caught. */
record Scenario(String name, Body body) {

    interface Body {
        /** @throws Throwable if the fence that lives on the dialect does not do it */
        void run(Dialect dialect) throws Throwable;
    }

    @Override
    public String toString() {
        return name;
    }
}
