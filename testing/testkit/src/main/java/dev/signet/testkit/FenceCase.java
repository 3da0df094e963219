package dev.signet.testkit;

/**
 * A story of the fence contract.
 *
 * @param atEachLevel whether it may end otherwise at another isolation level
 */
record FenceCase(FenceClause clause, String name, boolean atEachLevel, Body body) {

    interface Body {
        void tell(FenceStory story) throws Exception;
    }
}
