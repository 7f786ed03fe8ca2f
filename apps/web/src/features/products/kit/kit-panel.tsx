import { Button, Stack, Text, Title } from '@mantine/core'
import { type ComponentProps, Fragment, useState } from 'react'
import type { KitPart, Product } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { KitDialog } from './kit-dialog.tsx'

const columns: Column<KitPart>[] = [
  {
    key: 'name',
    label: t('Part'),
    isTitle: true,
    cell: ({ name }) => (
      <Text span inherit fw={600}>
        {name}
      </Text>
    ),
  },
  {
    key: 'pieces',
    label: t('In one kit'),
    align: 'right',
    cell: ({ quantity_per_kit }) => formatCount(quantity_per_kit),
  },
  { key: 'color', label: t('Colour'), cell: ({ fixed_color }) => fixed_color || t('Colour of the variant') },
  {
    key: 'file',
    label: t('File'),
    cell: ({ print_file_id, file_name }) =>
      print_file_id === null ? (
        '–'
      ) : (
        <LinkText to="/files/$fileId" params={{ fileId: print_file_id }}>
          {file_name ?? t('The file')}
        </LinkText>
      ),
  },
  {
    key: 'skus',
    label: t('Its SKUs, with their stock'),
    cell: ({ variants }) =>
      [...new Map(variants.map((each) => [each.child_sku_id, each])).values()].map(
        ({ child_sku_id, child_sku, child_on_hand }, index) => (
          <span key={child_sku_id}>
            {index > 0 && ', '}
            <LinkText to="/skus/$skuId" params={{ skuId: child_sku_id }}>
              {child_sku}
            </LinkText>{' '}
            {formatCount(child_on_hand)}
          </span>
        ),
      ),
  },
  {
    key: 'components',
    label: t('Takes'),
    cell: ({ components }) =>
      components.length === 0
        ? '–'
        : components.map(({ id, kind, inventory_item_id, quantity_required, component_name }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              {formatCount(quantity_required)} ×{' '}
              <LinkText to="/materials/$kind/$materialId" params={{ kind, materialId: inventory_item_id }}>
                {component_name}
              </LinkText>
            </span>
          )),
  },
]

interface KitPanelProps extends Pick<ComponentProps<typeof KitDialog>, 'fileInput'> {
  product: Product
}

/** What a product is put together from, when it is a kit; and what makes it one. */
export function KitPanel({ product, fileInput }: KitPanelProps) {
  const mayWrite = useMay('write')
  const [isEditing, setEditing] = useState(false)
  const { kit } = product
  if (kit === null && !mayWrite) return null
  return (
    <Panel
      title={t('Kit')}
      actions={
        mayWrite && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name={kit === null ? 'assembly' : 'edit'} size={16} />}
            onClick={() => setEditing(true)}
          >
            {kit === null ? t('Make it a kit') : t('Edit the kit')}
          </Button>
        )
      }
    >
      {kit === null ? (
        <Text c="dimmed">
          {t('It has no parts of its own. A kit is put together from parts that have SKUs and stock.')}
        </Text>
      ) : (
        <Stack gap="sm">
          <DataTable
            label={t('Parts of the kit')}
            columns={columns}
            rows={kit.parts}
            rowKey={({ part_id }) => part_id}
          />
          {kit.bundle_extras.length > 0 && (
            <div>
              <Title order={3}>{t('Goes with every kit')}</Title>
              <Text>
                {kit.bundle_extras.map(
                  ({ id, kind, inventory_item_id, item_name, quantity_required, remaining }, index) => (
                    <Fragment key={id}>
                      {index > 0 && ', '}
                      <Rich
                        text="{quantity_required} × {item_name} ({remaining} there)"
                        values={{
                          quantity_required,
                          item_name: (
                            <LinkText
                              to="/materials/$kind/$materialId"
                              params={{ kind, materialId: inventory_item_id }}
                            >
                              {item_name}
                            </LinkText>
                          ),
                          remaining: formatCount(remaining),
                        }}
                      />
                    </Fragment>
                  ),
                )}
              </Text>
            </div>
          )}
        </Stack>
      )}
      {isEditing && <KitDialog product={product} fileInput={fileInput} onClose={() => setEditing(false)} />}
    </Panel>
  )
}
