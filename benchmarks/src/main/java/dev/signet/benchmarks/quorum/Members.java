package dev.signet.benchmarks.quorum;

import dev.signet.servers.EtcdOptions;
import dev.signet.servers.EtcdServer;
import dev.signet.servers.Server;
import dev.signet.servers.ZooKeeperServer;
import dev.signet.store.etcd.EtcdStore;
import dev.signet.store.etcd.EtcdStoreOptions;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;

/** Three of a server that others made. */
record Members(List<? extends Server> servers, String place) implements Trio {

    private static final int COUNT = 3;

    static Members ofEtcd() {
        List<EtcdServer> members =
                EtcdServer.cluster(COUNT, EtcdOptions.defaults().forcingWrites());
        return new Members(members, members.stream().map(EtcdServer::endpoint).collect(Collectors.joining(",")));
    }

    /** With a store of Signet's in it. */
    static Members ofEtcdWithStore() {
        Members members = ofEtcd();
        EtcdStore.init(store(members.place()));
        return members;
    }

    static EtcdStoreOptions store(String place) {
        return EtcdStoreOptions.of(
                List.of(place.split(",", -1)).stream().map(URI::create).toArray(URI[]::new));
    }

    static Members ofZooKeeper() {
        List<ZooKeeperServer> members = ZooKeeperServer.ensemble(COUNT);
        return new Members(
                members, members.stream().map(ZooKeeperServer::endpoint).collect(Collectors.joining(",")));
    }

    @Override
    public List<ProcessHandle> processes() {
        return servers.stream().flatMap(server -> server.processes().stream()).toList();
    }

    @Override
    public void close() {
        servers.forEach(Server::close);
    }
}
