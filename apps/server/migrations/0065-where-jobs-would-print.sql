-- Where the forecast has a job print, and from when. Only a forecast: the scheduler decides when a printer is free. No foreign key, so that a
-- printer can be deleted; what is read names only printers that are there.
alter table job_forecasts add column printer_id text, add column starts_at timestamptz;

-- A forecast of each account that has jobs which are not over is made again with these.
insert into forecast_rounds (account_id, asked_at)
  select distinct account_id, now() from jobs where status in ('queued', 'processing', 'printing', 'paused')
  on conflict (account_id) do update set asked_at = coalesce(forecast_rounds.asked_at, excluded.asked_at);
