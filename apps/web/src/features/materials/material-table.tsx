import { Menu, Text } from '@mantine/core'
import { useState } from 'react'
import type { MorePages } from '../../lib/api/paged-query.ts'
import { formatPercent } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../../ui/icon.tsx'
import { LinkText } from '../../ui/link-text.tsx'
import { ColorDot } from '../../ui/lists/color-dot.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import {
  formatQuantity,
  isSpool,
  kindWords,
  type Material,
  type MaterialKind,
  materialStatuses,
  nameOf,
  remainingOf,
} from './material-kinds.ts'
import { type QuantityChange, QuantityDialog } from './quantity-dialog.tsx'

interface MaterialTableProps extends MorePages {
  kind: MaterialKind
  materials: readonly Material[]
  /** Printers by their IDs. */
  printerNames: ReadonlyMap<string, string>
  mayWrite: boolean
}

export function MaterialTable({ kind, materials, printerNames, mayWrite, ...more }: MaterialTableProps) {
  const [changed, setChanged] = useState<{ material: Material; change: QuantityChange }>()
  const columns: Column<Material>[] = [
    {
      key: 'name',
      label: kindWords[kind].title,
      isTitle: true,
      cell: (material) => (
        <>
          {isSpool(material) && <ColorDot hex={material.hex_code} />}
          <LinkText to="/materials/$kind/$materialId" params={{ kind, materialId: material.id }} fw={600}>
            {nameOf(material)}
          </LinkText>
          {!isSpool(material) && (
            <Text span inherit c="dimmed" fw={400}>
              {' '}
              {[material.type, material.color, material.brand].filter(Boolean).join(' · ')}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'left',
      label: t('Left'),
      align: 'right',
      cell: (material) => `${formatQuantity(kind, remainingOf(material))}${shareOf(material)}`,
    },
    {
      key: 'low',
      label: t('Low at'),
      align: 'right',
      cell: ({ low_threshold }) => formatQuantity(kind, low_threshold),
    },
    {
      key: 'place',
      label: t('Place'),
      cell: (material) =>
        isSpool(material) && material.printer_id !== null ? (
          <LinkText to="/printers/$printerId" params={{ printerId: material.printer_id }}>
            {printerNames.get(material.printer_id) ?? t('In a printer')}
          </LinkText>
        ) : (
          material.location || '–'
        ),
    },
    {
      key: 'state',
      label: t('State'),
      cell: ({ status }) => (
        <StatusBadge tone={materialStatuses[status].tone}>{materialStatuses[status].word}</StatusBadge>
      ),
    },
    { key: 'at', label: t('Changed'), cell: ({ updated_at }) => <Time at={updated_at} /> },
  ]
  if (mayWrite) {
    columns.push({
      key: 'actions',
      label: t('Actions'),
      align: 'right',
      cell: (material) => (
        <RowMenu label={t('Actions for {name}', { name: nameOf(material) })}>
          <Menu.Item
            leftSection={<Icon name="down" size={16} />}
            onClick={() => setChanged({ material, change: 'consume' })}
          >
            {t('Take some…')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => setChanged({ material, change: 'restock' })}
          >
            {t('Restock…')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="check" size={16} />}
            onClick={() => setChanged({ material, change: 'count' })}
          >
            {kind === 'filament' ? t('Weigh…') : t('Count…')}
          </Menu.Item>
        </RowMenu>
      ),
    })
  }
  return (
    <>
      <DataTable label={kindWords[kind].title} columns={columns} rows={materials} rowKey={({ id }) => id} {...more} />
      {changed && <QuantityDialog kind={kind} {...changed} onClose={() => setChanged(undefined)} />}
    </>
  )
}

/** ` (61%)` of a full spool, where that is known. */
function shareOf(material: Material): string {
  if (!isSpool(material) || !material.spool_weight_grams) return ''
  return ` (${formatPercent((material.remaining_grams / material.spool_weight_grams) * 100)})`
}
