import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { AddPrinterDialog } from '../../../features/add-printer/add-printer-dialog.tsx'
import { CameraWall } from '../../../features/printers/camera/camera-wall.tsx'
import { BulkBar } from '../../../features/printers/list/bulk-bar.tsx'
import { FilterBar } from '../../../features/printers/list/filter-bar.tsx'
import { PrinterGrid } from '../../../features/printers/list/printer-grid.tsx'
import { PrinterTable } from '../../../features/printers/list/printer-table.tsx'
import { filterPrinters, sortPrinters } from '../../../features/printers/list/printer-view.ts'
import { livePrintersQuery } from '../../../features/printers/printers.api.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

const route = getRouteApi('/member/shell/printers')

export function PrintersPage() {
  const view = route.useSearch()
  const navigate = route.useNavigate()
  const printers = useQuery(livePrintersQuery())
  const mayManage = useMay('write')
  const mayControl = useMay('control')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback((id: string) => {
    setSelected((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])
  const open = () => void navigate({ search: (before) => ({ ...before, add: true }), replace: true })
  const close = () => void navigate({ search: ({ add: _, ...before }) => before, replace: true })

  return (
    <>
      <PageHeader
        title={t('Printers')}
        actions={
          <>
            <LinkButton
              to="/printers/wall"
              search={view.location === undefined ? {} : { location: view.location }}
              variant="default"
              leftSection={<Icon name="wall" size={16} />}
            >
              {t('Wall display')}
            </LinkButton>
            {mayManage && (
              <Button data-adds leftSection={<Icon name="plus" size={16} />} onClick={open}>
                {t('Add printer')}
              </Button>
            )}
          </>
        }
      />
      <QueryView query={printers} failed={t('The printers could not be read')}>
        {(rows) => {
          if (rows.length === 0) {
            return (
              <EmptyState
                icon="printer"
                title={t('No printer yet')}
                action={<LinkButton to="/hubs">{t('Go to hubs')}</LinkButton>}
              >
                {t('A hub on the network of your printers finds them. You can also add one by hand.')}
              </EmptyState>
            )
          }
          const shown = sortPrinters(filterPrinters(rows, view), view.order)
          return (
            <>
              <FilterBar
                rows={rows}
                view={view}
                onChange={(change) =>
                  void navigate({ search: (before) => ({ ...before, ...change }) as typeof before, replace: true })
                }
              />
              {shown.length === 0 ? (
                <EmptyState
                  icon="search"
                  title={t('No printer matches')}
                  action={
                    <Button variant="default" onClick={() => void navigate({ search: view.as ? { as: view.as } : {} })}>
                      {t('Show all printers')}
                    </Button>
                  }
                />
              ) : view.as === 'table' ? (
                <>
                  {/* What is selected and is shown no more is not meant. */}
                  <BulkBar rows={shown} chosen={shown.filter(({ id }) => selected.has(id))} onSelect={setSelected} />
                  <PrinterTable rows={shown} selected={selected} onToggle={mayControl ? toggle : undefined} />
                </>
              ) : view.as === 'cameras' ? (
                <CameraWall rows={shown} />
              ) : (
                <PrinterGrid rows={shown} size={view.size ?? 'm'} />
              )}
            </>
          )
        }}
      </QueryView>
      {view.add && mayManage && (
        <AddPrinterDialog
          onCancel={close}
          onDone={({ id }) => void navigate({ to: '/printers/$printerId', params: { printerId: id } })}
        />
      )}
    </>
  )
}
