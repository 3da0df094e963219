package dev.signet.servers;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Servers that know each other, and answer only when most of them run. */
final class Cluster {

    private static final int ATTEMPTS = 3;

    private Cluster() {}

    /**
     * With other ports if somebody else was quicker at one of them: each member has been told those of all.
     *
     * @param made makes members that were not started yet
     * @throws ServerException if they do not come up
     */
    static <S extends Server> List<S> start(Supplier<List<S>> made) {
        for (int attempt = 1; ; attempt++) {
            List<S> members = made.get();
            try {
                together(members, Server::start);
                return List.copyOf(members);
            } catch (ServerException e) {
                members.forEach(Server::close);
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    static <S extends Server> void together(List<S> members, Consumer<S> what) {
        List<CompletableFuture<Void>> starts = members.stream()
                .map(member -> CompletableFuture.runAsync(
                        () -> what.accept(member), task -> new Thread(task, "starts").start()))
                .toList();
        try {
            CompletableFuture.allOf(starts.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException e) {
            throw new ServerException("a cluster did not come up: " + members, e);
        }
    }
}
