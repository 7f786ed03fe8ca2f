import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatCount } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { fileFoldersQuery } from '../files.api.ts'
import { FolderIcon } from './folder-icon.tsx'
import { foldersBelow, wayTo } from './folder-tree.ts'
import { type LibrarySearch, readLibrarySearch } from './library-search.ts'

/** Where in the library one is, and the folders below. Nothing where there are no folders. */
export function FolderLine({ search }: { search: LibrarySearch }) {
  const folders = useQuery(fileFoldersQuery()).data ?? []
  const { folder = '' } = search
  const way = wayTo(folder)
  const below = foldersBelow(folders, folder)
  if (way.length === 0 && below.length === 0) return null
  const at = (there: string) => readLibrarySearch({ ...search, folder: there })
  return (
    <nav className="folder-line" aria-label={t('Folders')}>
      {way.length > 0 && (
        <ol className="folder-way">
          <li>
            <LinkText to="/files" search={at('')}>
              {t('All files')}
            </LinkText>
          </li>
          {way.map(({ name, folder: there }) => (
            <li key={there}>
              {there === folder ? (
                <span aria-current="page">{name}</span>
              ) : (
                <LinkText to="/files" search={at(there)}>
                  {name}
                </LinkText>
              )}
            </li>
          ))}
        </ol>
      )}
      {below.length > 0 && (
        <ul className="folders-below">
          {below.map(({ name, folder: there, files }) => (
            <li key={there}>
              <Link to="/files" search={at(there)} className="folder touch-target">
                <FolderIcon size={18} />
                <span>{name}</span>
                <span className="folder-count">{formatCount(files)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </nav>
  )
}
