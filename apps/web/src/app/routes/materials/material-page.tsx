import { Button, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { MaterialPricePanel } from '../../../features/costs/material-price.tsx'
import { LabelButton } from '../../../features/labels/label-button.tsx'
import { LoadDialog } from '../../../features/materials/load-dialog.tsx'
import { MaterialDialog } from '../../../features/materials/material-dialog.tsx'
import {
  formatQuantity,
  isSpool,
  kindWords,
  type Material,
  type MaterialKind,
  materialStatuses,
  nameOf,
  readKind,
  remainingOf,
} from '../../../features/materials/material-kinds.ts'
import { readMaterialSearch } from '../../../features/materials/material-search.ts'
import { materialMovementsQuery, materialQuery } from '../../../features/materials/materials.api.ts'
import { MovementTable } from '../../../features/materials/movement-table.tsx'
import { type QuantityChange, QuantityDialog } from '../../../features/materials/quantity-dialog.tsx'
import { SpoolTagsPanel } from '../../../features/materials/spool-tags-panel.tsx'
import { useMaterialActions } from '../../../features/materials/use-material-actions.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { ColorDot } from '../../../ui/lists/color-dot.tsx'
import { Facts } from '../../../ui/lists/facts.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { usePrinterOptions } from '../jobs/use-printer-options.ts'
import { SlotInput } from './slot-input.tsx'

const route = getRouteApi('/member/shell/materials/$kind/$materialId')

export function MaterialPage() {
  const { kind: word, materialId } = route.useParams()
  // What is no kind is asked for as a spool: the service says that there is no such thing.
  const kind = readKind(word) ?? 'filament'
  const found = useQuery(materialQuery(kind, materialId))
  return (
    <QueryView query={found} failed={t('The material could not be read')}>
      {(material) => <MaterialView kind={kind} material={material} />}
    </QueryView>
  )
}

function MaterialView({ kind, material }: { kind: MaterialKind; material: Material }) {
  const navigate = useNavigate()
  const mayWrite = useMay('write')
  const maySeeCosts = useMay('admin')
  const actions = useMaterialActions(kind)
  const movements = useInfiniteQuery(materialMovementsQuery(kind, material.id))
  const printers = usePrinterOptions()
  const [open, setOpen] = useState<QuantityChange | 'edit' | 'load'>()
  const close = () => setOpen(undefined)
  const { tone, word } = materialStatuses[material.status]
  const spool = isSpool(material) ? material : undefined
  const printer = printers.find(({ value }) => value === spool?.printer_id)
  const remove = async () => {
    if (await actions.remove(material)) void navigate({ to: '/materials', search: readMaterialSearch({ kind }) })
  }
  return (
    <>
      <PageHeader
        title={nameOf(material)}
        badge={<StatusBadge tone={tone}>{word}</StatusBadge>}
        description={
          <>
            <LinkText to="/materials">{t('Materials')}</LinkText> ·{' '}
            <LinkText to="/materials" search={readMaterialSearch({ kind })}>
              {kindWords[kind].title}
            </LinkText>
          </>
        }
        actions={
          <>
            {mayWrite && (
              <>
                <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpen('restock')}>
                  {t('Restock')}
                </Button>
                <Button
                  variant="default"
                  leftSection={<Icon name="down" size={16} />}
                  onClick={() => setOpen('consume')}
                >
                  {t('Take some')}
                </Button>
                <Button
                  variant="default"
                  leftSection={<Icon name="check" size={16} />}
                  onClick={() => setOpen('count')}
                >
                  {spool ? t('Weigh') : t('Count')}
                </Button>
                {spool && (
                  <Button
                    variant="default"
                    leftSection={<Icon name="spool" size={16} />}
                    onClick={() => setOpen('load')}
                  >
                    {spool.printer_id === null ? t('Load') : t('Load elsewhere')}
                  </Button>
                )}
                {spool && spool.printer_id !== null && (
                  <Button
                    variant="default"
                    leftSection={<Icon name="up" size={16} />}
                    loading={actions.busyId === spool.id}
                    onClick={() => void actions.takeOff(spool)}
                  >
                    {t('Take off')}
                  </Button>
                )}
                <Button variant="default" leftSection={<Icon name="edit" size={16} />} onClick={() => setOpen('edit')}>
                  {t('Edit')}
                </Button>
                <Button variant="default" leftSection={<Icon name="trash" size={16} />} onClick={() => void remove()}>
                  {t('Delete')}
                </Button>
              </>
            )}
            {spool && <LabelButton items={[{ kind: 'spool', id: spool.id }]} />}
          </>
        }
      />
      <Stack gap="md">
        <Panel title={t('Stock')}>
          <Facts
            isGrid
            facts={[
              [t('Left'), formatQuantity(kind, remainingOf(material))],
              [t('On a full spool'), spool?.spool_weight_grams ? formatQuantity(kind, spool.spool_weight_grams) : null],
              [t('Low at'), formatQuantity(kind, material.low_threshold)],
              [
                t('Loaded in'),
                spool && spool.printer_id !== null ? (
                  <>
                    <LinkText to="/printers/$printerId" params={{ printerId: spool.printer_id }}>
                      {printer?.label ?? t('A printer')}
                    </LinkText>
                    {t(', slot {slot}', { slot: spool.slot ?? 0 })}
                  </>
                ) : null,
              ],
              [t('Place'), material.location],
              [t('Type'), material.type],
              [
                t('Colour'),
                material.color === '' ? null : (
                  <>
                    {spool && <ColorDot hex={spool.hex_code} />}
                    {material.color}
                  </>
                ),
              ],
              [t('Brand'), material.brand],
              [t('Diameter'), material.diameter === null ? null : t('{diameter} mm', { diameter: material.diameter })],
            ]}
          />
        </Panel>
        {spool && <SpoolTagsPanel spool={spool} mayWrite={mayWrite} />}
        {maySeeCosts && <MaterialPricePanel materialId={material.id} />}
        <Panel title={t('Movements')}>
          <QueryView query={movements} failed={t('The movements could not be read')}>
            {(data) => {
              const rows = rowsOf(data) ?? []
              if (rows.length === 0) return <Text c="dimmed">{t('No movements yet.')}</Text>
              return <MovementTable kind={kind} movements={rows} {...morePages(movements)} />
            }}
          </QueryView>
        </Panel>
      </Stack>
      {open === 'edit' && <MaterialDialog kind={kind} material={material} onClose={close} />}
      {open === 'load' && spool && (
        <LoadDialog
          spool={spool}
          printers={printers}
          slotInput={(props) => <SlotInput key={props.printerId} {...props} />}
          onClose={close}
        />
      )}
      {(open === 'consume' || open === 'restock' || open === 'count') && (
        <QuantityDialog kind={kind} material={material} change={open} onClose={close} />
      )}
    </>
  )
}
