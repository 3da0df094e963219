package dev.signet.servers;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

/** The least that a server takes. */
class WebServer extends Server {

    WebServer() {
        super("web", Account.OF_THE_CALLER, 1);
    }

    static <S extends WebServer> S started(S server) {
        server.start();
        return server;
    }

    @Override
    void prepare() {
        write("whose", folder.toString());
    }

    @Override
    List<String> command() {
        String address = host() + ":" + port();
        return List.of(Programs.find("busybox", "busybox", List.of()), "httpd", "-f", "-p", address);
    }

    @Override
    void ask() throws IOException, InterruptedException {
        URI question = URI.create("http://" + host() + ":" + port() + "/whose");
        String answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(question).build(), BodyHandlers.ofString())
                .body();
        if (!answer.equals(folder.toString())) {
            throw new IOException("another server answers: " + answer);
        }
    }
}
