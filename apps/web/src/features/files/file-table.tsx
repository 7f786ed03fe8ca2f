import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core'
import { useState } from 'react'
import type { PrintFile } from '../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../lib/api/paged-query.ts'
import { formatBytes } from '../../lib/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { LinkText } from '../../ui/link-text.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { FilePicture } from './file-picture.tsx'
import { contentAddress } from './files.api.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { shortFacts } from './slicer-facts.ts'
import { type FileActions, useFileActions } from './use-file-actions.ts'

interface FileTableProps extends MorePages {
  files: readonly PrintFile[]
  /** Undefined: the reader may only look. */
  onPrint: ((file: PrintFile) => void) | undefined
}

export function FileTable({ files, onPrint, ...more }: FileTableProps) {
  const actions = useFileActions()
  const [renamed, setRenamed] = useState<PrintFile>()
  const columns: Column<PrintFile>[] = [
    {
      key: 'name',
      label: 'File',
      isTitle: true,
      cell: (file) => (
        <Group gap="sm" wrap="nowrap">
          <FilePicture file={file} size="row" />
          <div>
            <LinkText to="/files/$fileId" params={{ fileId: file.id }} fw={600}>
              {file.name}
            </LinkText>
            {!file.is_sliced && <StatusBadge tone="waiting">Not sliced</StatusBadge>}
            {file.warnings.some((warning) => warning.includes('cut short')) && (
              <StatusBadge tone="trouble">May be cut short</StatusBadge>
            )}
            <Text size="sm" c="dimmed" fw={400}>
              {shortFacts(file)}
            </Text>
          </div>
        </Group>
      ),
    },
    { key: 'size', label: 'Size', align: 'right', cell: ({ file_size_bytes }) => formatBytes(file_size_bytes) },
    { key: 'at', label: 'Changed', cell: ({ updated_at }) => <Time at={updated_at} /> },
  ]
  if (onPrint) {
    columns.push({
      key: 'actions',
      label: 'Actions',
      align: 'right',
      cell: (file) => (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          {file.is_sliced && (
            <Button size="xs" variant="light" onClick={() => onPrint(file)} aria-label={`Print this: ${file.name}`}>
              Print this
            </Button>
          )}
          <FileMenu file={file} actions={actions} onRename={() => setRenamed(file)} />
        </Group>
      ),
    })
  } else {
    columns.push({ key: 'download', label: 'Download', align: 'right', cell: (file) => <Download file={file} /> })
  }
  return (
    <>
      <DataTable label="Files" columns={columns} rows={files} rowKey={({ id }) => id} {...more} />
      {renamed && <RenameDialog file={renamed} onClose={() => setRenamed(undefined)} />}
    </>
  )
}

interface FileMenuProps {
  file: PrintFile
  actions: FileActions
  onRename: () => void
}

function FileMenu({ file, actions, onRename }: FileMenuProps) {
  return (
    <RowMenu label={`Actions for ${file.name}`} isBusy={actions.busyId === file.id}>
      <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={onRename}>
        Rename…
      </Menu.Item>
      <Menu.Item
        component="a"
        href={contentAddress(file.id)}
        download={file.name}
        leftSection={<Icon name="download" size={16} />}
      >
        Download
      </Menu.Item>
      <Menu.Item color="red" leftSection={<Icon name="trash" size={16} />} onClick={() => void actions.remove(file)}>
        Delete…
      </Menu.Item>
    </RowMenu>
  )
}

/** All that may be done with a file by anyone who only looks. */
function Download({ file: { id, name } }: { file: PrintFile }) {
  return (
    <ActionIcon component="a" href={contentAddress(id)} download={name} aria-label={`Download ${name}`}>
      <Icon name="download" size={18} />
    </ActionIcon>
  )
}
