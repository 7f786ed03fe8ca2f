import { Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { PrintFile } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { FolderIcon } from './folder-icon.tsx'

type MarkedFile = Pick<PrintFile, 'is_sliced' | 'warnings'>

/** What is wrong with a file, where something is. */
export function FileMarks({ file }: { file: MarkedFile }) {
  return (
    <>
      {!file.is_sliced && <StatusBadge tone="waiting">{t('Not sliced')}</StatusBadge>}
      {file.warnings.some((warning) => warning.includes('cut short')) && (
        <StatusBadge tone="trouble">{t('May be cut short')}</StatusBadge>
      )}
    </>
  )
}

/** The folder and the tags of a file; each leads to the files that have it. */
export function TagLinks({ file: { tags, folder } }: { file: Pick<PrintFile, 'tags' | 'folder'> }) {
  if (tags.length === 0 && folder === '') return null
  return (
    <Group gap={4} component="span" className="file-tags">
      {folder !== '' && (
        <Link to="/files" search={{ folder }} className="file-tag touch-target">
          <FolderIcon size={14} />
          {folder}
        </Link>
      )}
      {tags.map((tag) => (
        <Link key={tag} to="/files" search={{ tag }} className="file-tag touch-target">
          {tag}
        </Link>
      ))}
    </Group>
  )
}
