-- Whether each line of an order may leave as soon as its units are there, or the order waits until all of it is.
alter table order_settings add column ship_lines_alone boolean not null default false;
