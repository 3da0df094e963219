package dev.signet.app.command;

import dev.signet.store.Holder;
import dev.signet.store.RoleView;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** A role's record in words. */
final class RoleText {

    private RoleText() {}

    /** {@code led by ada~3f…, token 7, term 9c…; claimable in 12.3 s unless renewed}. */
    static String of(RoleView view) {
        return standing(view)
                + view.reservation()
                        .map(kept -> "; kept for " + kept.target() + " for " + seconds(kept.remaining()))
                        .orElse("");
    }

    private static String standing(RoleView view) {
        Optional<Holder> holder = view.holder();
        if (holder.isEmpty()) {
            return view.lastToken() == 0 ? "never led" : "free, last token " + view.lastToken();
        }
        String led = holder.get().candidate() + address(holder.get()) + ", token "
                + holder.get().token() + ", term " + holder.get().termDigest();
        if (view.claimable()) {
            return "free, since the lease ended of " + led;
        }
        return "led by " + led
                + view.claimableIn()
                        .map(left -> "; claimable in " + seconds(left) + " unless renewed")
                        .orElse("");
    }

    private static String address(Holder holder) {
        return holder.hint().publicUri().map(uri -> " at " + uri).orElse("");
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    }
}
