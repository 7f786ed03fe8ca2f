import { Button, Checkbox, Text } from '@mantine/core'
import type { PrintFile } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { FilePicture } from '../file-picture.tsx'
import { shortFacts } from '../slicer-facts.ts'
import { FileMarks, TagLinks } from './file-marks.tsx'
import { type FileDoings, FileDownload, FileMenu } from './file-menu.tsx'
import type { FileListProps } from './file-table.tsx'
import './library.css'

/** Files as cards with their pictures. */
export function FileGrid({ files, doings, selected, onSelect, onMore, isLoadingMore }: FileListProps) {
  return (
    <>
      <ul className="file-grid" aria-label={t('Files')}>
        {files.map((file) => (
          <li key={file.id} className="file-card" data-chosen={selected.has(file.id) || undefined}>
            <FilePicture file={file} size="page" />
            {doings && (
              <Checkbox
                className="file-card-choice"
                aria-label={t('Select {name}', { name: file.name })}
                checked={selected.has(file.id)}
                onChange={(event) => onSelect(file.id, event.currentTarget.checked)}
              />
            )}
            <LinkText to="/files/$fileId" params={{ fileId: file.id }} fw={600} size="sm">
              {file.name}
            </LinkText>
            <FileMarks file={file} />
            <Text size="xs" c="dimmed">
              {shortFacts(file)}
            </Text>
            <TagLinks file={file} />
            <CardEnd file={file} doings={doings} />
          </li>
        ))}
      </ul>
      {onMore && (
        <Button variant="default" mt="sm" onClick={onMore} loading={isLoadingMore ?? false}>
          {t('Show more')}
        </Button>
      )}
    </>
  )
}

function CardEnd({ file, doings }: { file: PrintFile; doings: FileDoings | undefined }) {
  return (
    <div className="file-card-end">
      {!doings ? (
        <FileDownload file={file} />
      ) : (
        <>
          {file.is_sliced ? (
            <Button
              size="xs"
              variant="light"
              onClick={() => doings.onPrint(file)}
              aria-label={t('Print this: {name}', { name: file.name })}
            >
              {t('Print')}
            </Button>
          ) : (
            <span />
          )}
          <FileMenu file={file} doings={doings} />
        </>
      )}
    </div>
  )
}
