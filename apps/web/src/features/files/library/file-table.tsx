import { Button, Checkbox, Group, Text } from '@mantine/core'
import type { PrintFile } from '../../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../../lib/api/paged-query.ts'
import { formatBytes } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { FilePicture } from '../file-picture.tsx'
import { shortFacts } from '../slicer-facts.ts'
import { FileMarks, TagLinks } from './file-marks.tsx'
import { type FileDoings, FileDownload, FileMenu } from './file-menu.tsx'
import './library.css'

export interface FileListProps extends MorePages {
  files: readonly PrintFile[]
  /** Undefined: the reader may only look. */
  doings: FileDoings | undefined
  selected: ReadonlySet<string>
  onSelect: (fileId: string, isSelected: boolean) => void
}

export function FileTable({ files, doings, selected, onSelect, ...more }: FileListProps) {
  const columns: Column<PrintFile>[] = [
    {
      key: 'name',
      label: t('File'),
      isTitle: true,
      cell: (file) => (
        <Group gap="sm" wrap="nowrap">
          {doings && (
            <Checkbox
              aria-label={t('Select {name}', { name: file.name })}
              checked={selected.has(file.id)}
              onChange={(event) => onSelect(file.id, event.currentTarget.checked)}
            />
          )}
          <FilePicture file={file} size="row" />
          <div>
            <LinkText to="/files/$fileId" params={{ fileId: file.id }} fw={600}>
              {file.name}
            </LinkText>
            <FileMarks file={file} />
            <Text size="sm" c="dimmed" fw={400}>
              {shortFacts(file)}
            </Text>
            <TagLinks file={file} />
          </div>
        </Group>
      ),
    },
    { key: 'size', label: t('Size'), align: 'right', cell: ({ file_size_bytes }) => formatBytes(file_size_bytes) },
    { key: 'at', label: t('Changed'), cell: ({ updated_at }) => <Time at={updated_at} /> },
  ]
  if (doings) {
    columns.push({
      key: 'actions',
      label: t('Actions'),
      align: 'right',
      cell: (file) => (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          {file.is_sliced && (
            <Button
              size="xs"
              variant="light"
              onClick={() => doings.onPrint(file)}
              aria-label={t('Print this: {name}', { name: file.name })}
            >
              {t('Print this')}
            </Button>
          )}
          <FileMenu file={file} doings={doings} />
        </Group>
      ),
    })
  } else {
    columns.push({
      key: 'download',
      label: t('Download'),
      align: 'right',
      cell: (file) => <FileDownload file={file} />,
    })
  }
  return <DataTable label={t('Files')} columns={columns} rows={files} rowKey={({ id }) => id} {...more} />
}
