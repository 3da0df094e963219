package dev.signet.fence;

/**
 * What a fence answered instead of sealing.
 *
 * @param highest the highest token that the resource was sealed with; 0 for none
 * @param message for people: what is wrong and what to do
 */
public record SealRefusal(Refusal refusal, long highest, String message) {}
