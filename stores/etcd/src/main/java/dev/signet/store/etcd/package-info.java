/**
 * A store that decides leadership in an etcd cluster. Whatever checks a write where it lands is a fence, and does not belong
 * here.
 *
 * <p>From top to bottom: {@code EtcdStore} takes calls; {@code Sessions} and {@code Roles} say what each does, in transactions
 * that {@code Reading} decides on; {@code Members} carries them, in {@code Batches}; {@code Feed} serves watches. {@code Keys} is the layout, {@code
 * Ops} its words, and the entries are what lies under the keys.
 */
@NullMarked
package dev.signet.store.etcd;

import org.jspecify.annotations.NullMarked;
