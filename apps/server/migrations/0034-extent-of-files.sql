-- What the plate of a version covers in X and Y, as its slicer outlines the objects; null where it does not, and for files from before.
alter table print_file_versions
  add column width_mm double precision,
  add column depth_mm double precision;
