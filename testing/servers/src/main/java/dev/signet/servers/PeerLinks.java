package dev.signet.servers;

import dev.signet.servers.Weather.Way;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What lies between the members of a cluster. They all know a member by one address, so who comes to it is told by the process that
 * holds the other end. Thread-safe.
 */
final class PeerLinks {

    private record Pair(Server from, Server to) {}

    private final List<? extends Server> members;
    private final Map<Pair, Weather> weathers = new ConcurrentHashMap<>();
    private final Set<Server> apart = ConcurrentHashMap.newKeySet();

    /** @param members may still be filled */
    PeerLinks(List<? extends Server> members) {
        this.members = members;
    }

    Proxy before(Server member, int port) {
        return Proxy.to(member.host(), port, client -> weather(client, member));
    }

    private Weather weather(Socket client, Server to) {
        try {
            Optional<String> inode = Sockets.inode(client.getPort(), client.getLocalPort());
            return members.stream()
                    .filter(member -> inode.filter(member::holds).isPresent())
                    .findFirst()
                    .map(from -> weather(new Pair(from, to)))
                    .orElseGet(Weather::new); // of nobody that lives
        } catch (IOException e) {
            throw new ServerException("cannot tell who connects to " + to, e);
        }
    }

    private Weather weather(Pair pair) {
        return weathers.computeIfAbsent(pair, unknown -> {
            Weather weather = new Weather();
            change(weather, pair);
            return weather;
        });
    }

    private void change(Weather weather, Pair pair) {
        boolean blocked = apart.contains(pair.from()) || apart.contains(pair.to());
        weather.change(Duration.ZERO, blocked ? EnumSet.allOf(Way.class) : EnumSet.noneOf(Way.class));
    }

    /** Nothing passes between it and the others. */
    void cutOff(Server member) {
        apart.add(member);
        change();
    }

    void join(Server member) {
        apart.remove(member);
        change();
    }

    private void change() {
        weathers.forEach((pair, weather) -> change(weather, pair));
    }
}
