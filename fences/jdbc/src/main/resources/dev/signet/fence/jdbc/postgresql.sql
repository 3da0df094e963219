-- What `signet fence init` installs, in one transaction. @schema@ stands for the schema that is current then. Every function runs
-- with its owner's rights and a search path of its own: who writes needs no right on the tables, and cannot lend them others.
--
-- A seal and a check exclude each other by an advisory lock, whose queue is fair: writers share it, so that they do not wait for
-- each other, and a seal waits for those who came before it and for nobody else. Each statement of a VOLATILE function sees what
-- was committed when it began, at READ COMMITTED: the row is read after the lock was granted, and so after the seal that had it.
-- Above that level the snapshot may be older than the lock; there the row is locked too, which fails if it has changed since.

CREATE TABLE @schema@.signet_fence_layout (version integer NOT NULL);

INSERT INTO @schema@.signet_fence_layout VALUES (1);

CREATE TABLE @schema@.signet_fence (
    resource text COLLATE "C" PRIMARY KEY,
    role text COLLATE "C" NOT NULL,
    store_id text COLLATE "C" NOT NULL,
    max_token bigint NOT NULL CHECK (max_token BETWEEN 0 AND 9007199254740991),
    term_id text COLLATE "C" NOT NULL,
    -- what no copy of this row has in common with it; signet_place
    place text COLLATE "C" NOT NULL
);

-- Which tables are protected: for whoever looks whether they still are. Not secret, unlike the term ids above.
CREATE TABLE @schema@.signet_protected (
    relation regclass PRIMARY KEY,
    name text NOT NULL,
    resource text COLLATE "C" NOT NULL
);

CREATE TABLE @schema@.signet_fence_log (
    at timestamptz NOT NULL DEFAULT now(),
    who text NOT NULL DEFAULT session_user,
    act text NOT NULL,
    resource text NOT NULL,
    detail text NOT NULL
);

-- Where a row is, as a seal has left it. Another history of the server has another timeline: after a failover both copies have the
-- rows of before. One that was upgraded counts its timelines from 1 again. Whatever wrote the row since, from a dump, a subscription or by hand, did so in another transaction; VACUUM, also
-- FREEZE and FULL, and CLUSTER leave its number. And where another server counts transactions alike, the table has another number.
-- Called by the others only, with their rights and their search path: the planner puts it in their place.
CREATE FUNCTION @schema@.signet_place(made_by xid, relation oid) RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT current_setting('server_version_num')::integer / 10000 || '/'
        || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) || '/' || relation || '/' || made_by
$$;

-- The transaction may write under this stamp, and no seal passes it before it has ended; or an error. For who sets no savepoint
-- and prepares no transaction afterwards; signet_check is for everybody.
-- longest_idle, in milliseconds: if the session then says nothing for so long in the transaction, it is ended; 0 for no limit.
CREATE FUNCTION @schema@.signet_admit(
    resource text, token bigint, term_id text, role text DEFAULT NULL, store_id text DEFAULT NULL,
    longest_idle integer DEFAULT 10000)
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    fence record;
    carried text := current_setting('signet.token', true);
    idle interval := current_setting('idle_in_transaction_session_timeout');
    done text; -- what is assigned to it is not looked at: PERFORM would plan and run each as a query
BEGIN
    IF token IS NULL OR term_id IS NULL THEN
        RAISE EXCEPTION 'signet: NO_STAMP: a write to resource % carries the token and the id of its term', resource
            USING ERRCODE = 'SG428';
    END IF;
    IF carried <> '' AND (carried <> token::text OR current_setting('signet.term_id', true) IS DISTINCT FROM term_id) THEN
        RAISE EXCEPTION 'signet: OTHER_STAMP: this transaction carries token % already, and all of it is written under one term',
            carried USING ERRCODE = 'SG409';
    END IF;
    IF longest_idle > 0 AND (idle = interval '0' OR idle > longest_idle * interval '1 millisecond') THEN
        done := set_config('idle_in_transaction_session_timeout', longest_idle::text, true);
    END IF;
    done := pg_advisory_xact_lock_shared(1397311310, hashtext(signet_admit.resource));
    IF current_setting('transaction_isolation') IN ('read committed', 'read uncommitted') THEN
        SELECT f.*, f.xmin, f.tableoid INTO fence FROM @schema@.signet_fence f WHERE f.resource = signet_admit.resource;
    ELSE
        SELECT f.*, f.xmin, f.tableoid INTO fence FROM @schema@.signet_fence f WHERE f.resource = signet_admit.resource
            FOR SHARE;
    END IF;
    IF fence.resource IS NULL THEN
        RAISE EXCEPTION 'signet: NOT_INITIALISED: resource % has no fence row; run: signet fence init', resource
            USING ERRCODE = 'SG503';
    ELSIF role <> fence.role THEN
        RAISE EXCEPTION 'signet: OTHER_ROLE: resource % belongs to role %', resource, fence.role USING ERRCODE = 'SG412';
    ELSIF store_id <> fence.store_id THEN
        RAISE EXCEPTION 'signet: FOREIGN_STORE: resource % belongs to store %', resource, fence.store_id
            USING ERRCODE = 'SG412';
    ELSIF token < fence.max_token THEN
        RAISE EXCEPTION 'signet: STALE: a later term has sealed resource % with token %; this one is over: stop, do not retry',
            resource, fence.max_token USING ERRCODE = 'SG412';
    ELSIF token > fence.max_token THEN
        RAISE EXCEPTION 'signet: UNSEALED: the highest term that has sealed resource % has token %; seal it, then write',
            resource, fence.max_token USING ERRCODE = 'SG503';
    ELSIF term_id <> fence.term_id THEN
        RAISE EXCEPTION 'signet: SAME_TOKEN_OTHER_TERM: another term has sealed resource % with token %', resource, fence.max_token
            USING ERRCODE = 'SG412';
    ELSIF fence.place <> @schema@.signet_place(fence.xmin, fence.tableoid) THEN
        RAISE EXCEPTION 'signet: UNSEALED: since resource % was sealed with token % this server has failed over, or the row was '
            'restored, copied or rewritten; seal it again', resource, fence.max_token USING ERRCODE = 'SG503';
    END IF;
    done := set_config('signet.token', token::text, true);
    done := set_config('signet.term_id', term_id, true);
    done := set_config('signet.longest_idle', longest_idle::text, true);
END
$$;

-- The same for everybody. A transaction that has exported a snapshot cannot be prepared, and so cannot outlive its session with
-- the lock; and only the outermost level of a transaction may export one, so that the check is refused inside a savepoint, whose
-- ROLLBACK TO would give the lock back.
CREATE FUNCTION @schema@.signet_check(
    resource text, token bigint, term_id text, role text DEFAULT NULL, store_id text DEFAULT NULL,
    longest_idle integer DEFAULT 10000)
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM @schema@.signet_admit(resource, token, term_id, role, store_id, longest_idle);
    PERFORM pg_export_snapshot();
END
$$;

-- For triggers: what the transaction carries is admitted, or the write is not. Where signet_check has not said what it carries, the
-- session has, by its settings signet.token and signet.term_id. Rows are looked at when the transaction commits, so that nobody
-- who stands still in his transaction holds up a seal; TRUNCATE at once. Each row is compared, after a lock that costs nothing
-- when it is held: what was remembered from the one before could be set by hand. Only what does not change within a transaction,
-- and costs more than all the rest, is asked for once.
CREATE FUNCTION @schema@.signet_enforce() RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    protector CONSTANT text := TG_ARGV[0];
    carried CONSTANT text := current_setting('signet.token', true);
    carried_id CONSTANT text := current_setting('signet.term_id', true);
BEGIN
    IF current_setting('signet.enforced', true) = protector || ' ' || carried THEN
        PERFORM pg_advisory_xact_lock_shared(1397311310, hashtext(protector));
        IF current_setting('transaction_isolation') IN ('read committed', 'read uncommitted') THEN
            PERFORM FROM @schema@.signet_fence f
                WHERE f.resource = protector AND f.max_token::text = carried AND f.term_id = carried_id;
        ELSE
            PERFORM FROM @schema@.signet_fence f
                WHERE f.resource = protector AND f.max_token::text = carried AND f.term_id = carried_id FOR SHARE;
        END IF;
        IF FOUND THEN
            RETURN NULL;
        END IF;
    END IF;
    IF coalesce(carried, '') !~ '^[0-9]{1,16}$' OR coalesce(carried_id, '') = '' THEN
        RAISE EXCEPTION 'signet: NO_STAMP: a write to resource % must carry the stamp of its term; in the same transaction, first: '
            'SELECT signet_check(%, $SIGNET_TOKEN, ''$SIGNET_TERM_ID'')', protector, quote_literal(protector)
            USING ERRCODE = 'SG428';
    END IF;
    PERFORM @schema@.signet_admit(protector, carried::bigint, carried_id,
        longest_idle => coalesce(nullif(current_setting('signet.longest_idle', true), ''), '10000')::integer);
    -- a transaction that has exported a snapshot cannot be prepared; one whose COMMIT this is will not be
    IF current_setting('max_prepared_transactions') <> '0'
        AND NOT coalesce(current_query() ~* '^\s*(commit|end)\M' AND current_query() !~* 'prepare', true) THEN
        PERFORM pg_export_snapshot();
    END IF;
    PERFORM set_config('signet.enforced', protector || ' ' || carried, true);
    RETURN NULL;
END
$$;

-- Raises, in the caller's transaction, durably; or says why not. Whoever may call it can depose.
CREATE FUNCTION @schema@.signet_raise(
    resource text, role text, store_id text, token bigint, term_id text, max_jump bigint DEFAULT 1000000,
    OUT refusal text, OUT now_role text, OUT now_store_id text, OUT highest bigint, OUT term_digest text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    fence @schema@.signet_fence;
    raised bigint;
BEGIN
    IF current_setting('synchronous_commit') IN ('off', 'local') THEN
        PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
    PERFORM pg_advisory_xact_lock(1397311310, hashtext(signet_raise.resource));
    UPDATE @schema@.signet_fence f
        SET max_token = signet_raise.token, term_id = signet_raise.term_id
        WHERE f.resource = signet_raise.resource AND f.role = signet_raise.role AND f.store_id = signet_raise.store_id
            AND (f.max_token < signet_raise.token OR (f.max_token = signet_raise.token AND f.term_id = signet_raise.term_id))
            AND signet_raise.token - f.max_token <= max_jump;
    GET DIAGNOSTICS raised = ROW_COUNT;
    IF raised > 0 THEN
        -- by the number that the row now has, and keeps: in a savepoint that is not the transaction's
        UPDATE @schema@.signet_fence f SET place = @schema@.signet_place(f.xmin, f.tableoid)
            WHERE f.resource = signet_raise.resource;
    END IF;
    SELECT * INTO fence FROM @schema@.signet_fence f WHERE f.resource = signet_raise.resource;
    now_role := fence.role;
    now_store_id := fence.store_id;
    highest := fence.max_token;
    term_digest := @schema@.signet_digest(fence.term_id);
    refusal := CASE
        WHEN raised > 0 THEN NULL
        WHEN fence.resource IS NULL THEN 'NOT_INITIALISED'
        WHEN fence.role <> signet_raise.role THEN 'OTHER_ROLE'
        WHEN fence.store_id <> signet_raise.store_id THEN 'FOREIGN_STORE'
        WHEN token < fence.max_token THEN 'STALE'
        WHEN token = fence.max_token THEN 'SAME_TOKEN_OTHER_TERM'
        ELSE 'TOO_FAR_AHEAD'
    END;
END
$$;

-- What everybody may know of a term id.
CREATE FUNCTION @schema@.signet_digest(term_id text) RETURNS text LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp AS $$
    SELECT CASE WHEN term_id <> '' THEN substr(encode(sha256(convert_to(term_id, 'UTF8')), 'hex'), 1, 12) END
$$;

-- The same as an error, for scripts.
CREATE FUNCTION @schema@.signet_seal(resource text, role text, store_id text, token bigint, term_id text)
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    answer record;
BEGIN
    SELECT * INTO answer FROM @schema@.signet_raise(resource, role, store_id, token, term_id);
    IF answer.refusal IS NOT NULL THEN
        RAISE EXCEPTION 'signet: %: resource % is not sealed for token %; the highest there is %',
            answer.refusal, resource, token, coalesce(answer.highest, 0) USING ERRCODE = 'SG412';
    END IF;
END
$$;

CREATE FUNCTION @schema@.signet_view(
    resource text, OUT role text, OUT store_id text, OUT highest bigint, OUT term_digest text)
RETURNS SETOF record LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT f.role, f.store_id, f.max_token, @schema@.signet_digest(f.term_id)
    FROM @schema@.signet_fence f WHERE f.resource = signet_view.resource
$$;

REVOKE ALL ON
    @schema@.signet_fence, @schema@.signet_fence_layout, @schema@.signet_protected, @schema@.signet_fence_log
FROM PUBLIC;

GRANT SELECT ON @schema@.signet_protected TO PUBLIC;

REVOKE ALL ON FUNCTION
    @schema@.signet_place(xid, oid),
    @schema@.signet_admit(text, bigint, text, text, text, integer),
    @schema@.signet_check(text, bigint, text, text, text, integer),
    @schema@.signet_enforce(),
    @schema@.signet_raise(text, text, text, bigint, text, bigint),
    @schema@.signet_seal(text, text, text, bigint, text),
    @schema@.signet_digest(text),
    @schema@.signet_view(text)
FROM PUBLIC;
