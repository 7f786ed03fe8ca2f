-- Lists that a filter makes short are read in their order from an index too, however long the whole list is. Without these,
-- a filter that few jobs match reads all jobs of the account. Unfinished jobs have `jobs_unfinished`; most are completed.
create index jobs_by_bad_end on jobs (account_id, status, created_at desc, id desc) where status in ('failed', 'cancelled');
create index jobs_by_printer on jobs (account_id, printer_id, created_at desc, id desc) where printer_id is not null;
create index jobs_by_file on jobs (account_id, print_file_id, created_at desc, id desc);
create index jobs_by_sku on jobs (account_id, product_sku_id, created_at desc, id desc) where product_sku_id is not null;
