import { ActionIcon, Button, Group, Menu, Skeleton, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { FilePicture } from '../../../features/files/file-picture.tsx'
import { contentAddress, fileListQuery } from '../../../features/files/files.api.ts'
import { RenameDialog } from '../../../features/files/rename-dialog.tsx'
import { shortFacts } from '../../../features/files/slicer-facts.ts'
import { SlicerHelp } from '../../../features/files/slicer-help.tsx'
import { UploadPanel } from '../../../features/files/upload-panel.tsx'
import { useFileActions } from '../../../features/files/use-file-actions.ts'
import type { PrintRequest } from '../../../features/jobs/print-dialog.tsx'
import type { PrintFile } from '../../../lib/api/api-schema.generated.ts'
import { rowsOf } from '../../../lib/api/paged-query.ts'
import { formatBytes } from '../../../lib/format.ts'
import { useMay, useSession } from '../../../lib/session.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Time } from '../../../ui/time.tsx'
import { PrintWindow } from '../jobs/print-window.tsx'
import { usePrinterOptions } from '../jobs/use-printer-options.ts'
import { printRequestOf } from './print-request.ts'
import './files-page.css'

const FileDrop = lazy(async () => ({ default: (await import('../../../features/files/file-drop.tsx')).FileDrop }))
const route = getRouteApi('/member/shell/files')

export function FilesPage() {
  const { search } = route.useSearch()
  const list = useInfiniteQuery(fileListQuery(search === undefined ? {} : { search }))
  const mayWrite = useMay('write')
  const { may_make_keys } = useSession()
  const printers = usePrinterOptions()
  const [request, setRequest] = useState<PrintRequest>()
  const print = (file: PrintFile) => setRequest(printRequestOf(file))
  const columns = useColumns(mayWrite ? print : undefined)
  return (
    <>
      <PageHeader title="Files" />
      {mayWrite && (
        <Suspense fallback={<Skeleton height={84} radius="md" />}>
          <FileDrop />
        </Suspense>
      )}
      <div className="after-drop">
        <UploadPanel onPrint={mayWrite ? print : undefined} />
      </div>
      <SearchBox search={search ?? ''} />
      <QueryView query={list} failed="The files could not be read">
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0 && search !== undefined) {
            return (
              <EmptyState
                icon="search"
                title={`No file has “${search}” in its name`}
                action={
                  <LinkButton to="/files" search={{}} variant="default">
                    Show all
                  </LinkButton>
                }
              />
            )
          }
          if (rows.length === 0) {
            return (
              <EmptyState icon="file" title="No file yet">
                <SlicerHelp mayMakeKeys={may_make_keys} />
              </EmptyState>
            )
          }
          return (
            <>
              <DataTable
                label="Files"
                columns={columns.list}
                rows={rows}
                rowKey={({ id }) => id}
                onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
                isLoadingMore={list.isFetchingNextPage}
              />
              <details className="slicer-details">
                <summary>Send files straight from a slicer</summary>
                <SlicerHelp mayMakeKeys={may_make_keys} />
              </details>
            </>
          )
        }}
      </QueryView>
      {columns.dialog}
      <PrintWindow request={request} printers={printers} onClose={() => setRequest(undefined)} />
    </>
  )
}

/** What is typed stands in the address a moment later. */
function SearchBox({ search }: { search: string }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState(search)
  const [shown, setShown] = useState(search)
  if (shown !== search) {
    setShown(search)
    setTyped(search)
  }
  const look = useDebouncedCallback((text: string) => {
    void navigate({ to: '/files', search: text === '' ? {} : { search: text }, replace: true })
  }, 250)
  return (
    <TextInput
      aria-label="Search files"
      placeholder="Search by name"
      type="search"
      maxLength={120}
      mb="sm"
      maw="24rem"
      leftSection={<Icon name="search" size={16} />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        look(event.currentTarget.value.trim())
      }}
    />
  )
}

function useColumns(onPrint: ((file: PrintFile) => void) | undefined) {
  const actions = useFileActions()
  const [renamed, setRenamed] = useState<PrintFile>()
  const list: Column<PrintFile>[] = [
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
    list.push({
      key: 'actions',
      label: 'Actions',
      align: 'right',
      cell: (file) => (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <Button
            size="xs"
            variant="light"
            className="touch-target"
            onClick={() => onPrint(file)}
            aria-label={`Print this: ${file.name}`}
          >
            Print this
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                className="touch-target"
                aria-label={`Actions for ${file.name}`}
                loading={actions.busyId === file.id}
              >
                <Icon name="more" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={() => setRenamed(file)}>
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
              <Menu.Item
                color="red"
                leftSection={<Icon name="trash" size={16} />}
                onClick={() => void actions.remove(file)}
              >
                Delete…
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      ),
    })
  }
  return { list, dialog: renamed && <RenameDialog file={renamed} onClose={() => setRenamed(undefined)} /> }
}
