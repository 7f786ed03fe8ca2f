-- Pages of the queue go on behind the last job of the one before. The index is in the very order that is asked for, so that they begin
-- there: with the plain date, of which none is last, the order could be read from the index and a place in it could not be found.
drop index jobs_queue;
create index jobs_queue on jobs (account_id, priority_rank, (coalesce(due_date, 'infinity')), queue_position, id)
  where status = 'queued';
