/**
 * What decides by a majority of three servers, with what it decides on their disks: Signet on voters of its own and on etcd, beside
 * Curator's latch on ZooKeeper and jetcd's election on etcd.
 */
@NullMarked
package dev.signet.benchmarks.quorum;

import org.jspecify.annotations.NullMarked;
