-- The IDs of events are in the order in which they were made, not in that in which their transactions were committed: who
-- has read up to one may later find another before it. The number of the writing transaction tells which are final: below
-- the oldest one that still runs, nothing can come any more. So readers go by (txid, id), and read no further than that.
alter table events add column txid bigint not null default pg_current_xact_id()::text::bigint;
create index events_by_txid on events (account_id, txid, id);

-- For those who look back: what happened to something, what somebody did, and how often something happens.
create index events_by_subject on events (account_id, subject_id, id desc);
create index events_by_actor on events (account_id, actor, id desc);
create index events_by_type on events (account_id, type, id desc);
