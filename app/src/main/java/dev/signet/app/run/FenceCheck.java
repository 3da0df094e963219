package dev.signet.app.run;

import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.app.cli.CommandFailedException;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.ShellWord;
import dev.signet.app.place.Contact;
import dev.signet.app.place.ProtectedResource;
import dev.signet.app.place.StorePlace;
import dev.signet.fence.FenceView;
import dev.signet.fence.Refusal;
import dev.signet.fence.SealRefusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Looks at the fences before the candidate campaigns, so that what is set up wrongly is said at once, and not in the night in which the other
 * one dies: each must be there, be this role's and this store's, and not lie in the store's own file.
 */
final class FenceCheck {
    private final Role role;
    private final StorePlace place;
    private final List<ProtectedResource> resources;

    FenceCheck(Role role, StorePlace place, List<ProtectedResource> resources) {
        this.role = role;
        this.place = place;
        this.resources = resources;
    }

    /**
     * Blocks, for ten seconds per fence at most.
     *
     * @throws CommandFailedException saying what is wrong and what to do
     */
    void check() throws InterruptedException {
        if (resources.isEmpty()) {
            return;
        }
        resources.forEach(this::requirePresent);
        StoreId storeId = place.id();
        Contact contact = Contact.withinLimit();
        for (ProtectedResource resource : resources) {
            requireOurs(resource, contact.fence(resource, refusal -> explained(resource, refusal)), storeId);
        }
    }

    private void requirePresent(ProtectedResource resource) {
        resource.requirePresent();
        Optional<Path> file = resource.localFile();
        Optional<Path> own = place.localFile();
        if (file.isPresent() && own.isPresent() && isSame(own.get(), file.get())) {
            fail(resource.shown()
                    + " lies in the file of the store itself, where each transaction of the command would hold up the"
                    + " renewals; keep the two in two files");
        }
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException e) {
            return one.equals(other);
        }
    }

    private void requireOurs(ProtectedResource resource, FenceView view, StoreId storeId) {
        if (!view.role().equals(role)) {
            fail(resource.shown() + " belongs to role '" + view.role() + "', not to '" + role
                    + "'; campaign for that role, or protect another resource");
        }
        if (!view.storeId().equals(storeId)) {
            fail(resource.shown() + " belongs to store " + view.storeId() + ", but " + place.shown() + " is store "
                    + storeId + "; its tokens mean nothing there");
        }
    }

    private String explained(ProtectedResource resource, SealRefusal refusal) {
        return refusal.refusal() == Refusal.NOT_INITIALISED
                ? resource.shown() + " has no fence yet; run: " + initCommand(resource)
                : resource.explained(refusal);
    }

    private String initCommand(ProtectedResource resource) {
        return "signet fence init --role " + ShellWord.quoted(role.name()) + " --store "
                + ShellWord.quoted(place.shown()) + " --protect " + ShellWord.quoted(resource.shown());
    }

    private static void fail(String line) {
        throw new CommandFailedException(ExitCode.CONFIGURATION, line);
    }
}
