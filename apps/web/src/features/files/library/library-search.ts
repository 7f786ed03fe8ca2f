import type { QueryOf } from '../../../lib/api/api-routes.ts'

const sorts = ['newest', 'changed', 'name'] as const
type FileSort = (typeof sorts)[number]

/** The library as it stands in the address. Left out: a table of all files, the newest first. */
export interface LibrarySearch {
  search?: string
  tag?: string
  folder?: string
  sort?: FileSort
  as?: 'grid'
}

export function readLibrarySearch({ search, tag, folder, sort, as }: Record<string, unknown>): LibrarySearch {
  const text = (value: unknown) => (value === undefined || value === '' ? undefined : String(value))
  const [words, named, within] = [text(search), text(tag), text(folder)]
  const sorted = sorts.find((each) => each === sort)
  return {
    ...(words !== undefined && { search: words }),
    ...(named !== undefined && { tag: named }),
    ...(within !== undefined && { folder: within }),
    ...(sorted !== undefined && sorted !== 'newest' && { sort: sorted }),
    ...(as === 'grid' && { as }),
  }
}

/** What is asked of the service. */
export function fileFiltersOf({
  search,
  tag,
  folder,
  sort,
}: LibrarySearch): Pick<QueryOf<'GET /files'>, 'search' | 'tag' | 'folder' | 'order_by'> {
  return {
    ...(search !== undefined && { search }),
    ...(tag !== undefined && { tag }),
    ...(folder !== undefined && { folder }),
    ...(sort !== undefined && { order_by: sort }),
  }
}

/** The tags of files after some were added to all of them, or taken from all of them; files whose tags stay are left out. */
export function changedTags<File extends { tags: readonly string[] }>(
  files: readonly File[],
  change: { add: readonly string[] } | { remove: readonly string[] },
): { file: File; tags: string[] }[] {
  return files.flatMap((file) => {
    const tags =
      'add' in change
        ? [...file.tags, ...change.add.filter((tag) => !file.tags.includes(tag))]
        : file.tags.filter((tag) => !change.remove.includes(tag))
    return tags.length === file.tags.length ? [] : [{ file, tags }]
  })
}
