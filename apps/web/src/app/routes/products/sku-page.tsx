import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SkuCostPanel } from '../../../features/costs/cost-panels.tsx'
import { AssembleDialog } from '../../../features/products/bom/assemble-dialog.tsx'
import { BomPanel } from '../../../features/products/bom/bom-panel.tsx'
import { RestockDialog } from '../../../features/products/page/restock-dialog.tsx'
import { SkuDialog } from '../../../features/products/page/sku-dialog.tsx'
import { productQuery } from '../../../features/products/products.api.ts'
import { useProductActions } from '../../../features/products/use-product-actions.ts'
import { skuQuery } from '../../../features/skus/skus.api.ts'
import { stockOfSkuQuery } from '../../../features/stock/stock.api.ts'
import type { SkuDetail } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { ColorDot } from '../../../ui/lists/color-dot.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { Facts } from '../../../ui/lists/facts.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

const route = getRouteApi('/member/shell/skus/$skuId')

export function SkuPage() {
  const { skuId } = route.useParams()
  const found = useQuery(skuQuery(skuId))
  return (
    <QueryView query={found} failed={t('The SKU could not be read')}>
      {(sku) => <SkuView sku={sku} />}
    </QueryView>
  )
}

const recipeColumns: Column<SkuDetail['recipes'][number]>[] = [
  {
    key: 'name',
    label: t('Recipe'),
    isTitle: true,
    cell: ({ name }) => (
      <Text span inherit fw={600}>
        {name}
      </Text>
    ),
  },
  {
    key: 'file',
    label: t('File'),
    cell: ({ print_file_id, file_name }) => (
      <LinkText to="/files/$fileId" params={{ fileId: print_file_id }}>
        {file_name}
      </LinkText>
    ),
  },
  {
    key: 'units',
    label: t('A plate yields'),
    cell: ({ units_per_plate }) => t('{units_per_plate, plural, one {# unit} other {# units}}', { units_per_plate }),
  },
  { key: 'model', label: t('Printer'), cell: ({ printer_model }) => printer_model ?? t('Any') },
]

function SkuView({ sku }: { sku: SkuDetail }) {
  const navigate = useNavigate()
  const mayWrite = useMay('write')
  const maySeeCosts = useMay('admin')
  const actions = useProductActions()
  const product = useQuery(productQuery(sku.product_id)).data
  const stock = useQuery(stockOfSkuQuery(sku.id)).data
  const [isOpen, setOpen] = useState<'edit' | 'assemble' | 'restock'>()
  const close = () => setOpen(undefined)
  const name = product?.name ?? t('Its product')
  const remove = async () => {
    if (await actions.removeSku({ id: sku.id, name: sku.sku })) {
      void navigate({ to: '/products/$productId', params: { productId: sku.product_id } })
    }
  }
  return (
    <>
      <PageHeader
        title={sku.sku}
        badge={!sku.is_active && <StatusBadge tone="away">{t('Out of use')}</StatusBadge>}
        description={
          <>
            <LinkText to="/products">{t('Products')}</LinkText> ·{' '}
            <LinkText to="/products/$productId" params={{ productId: sku.product_id }}>
              {name}
            </LinkText>
          </>
        }
        actions={
          mayWrite && (
            <>
              {sku.is_composite && (
                <Button leftSection={<Icon name="assembly" size={16} />} onClick={() => setOpen('assemble')}>
                  {t('Put together')}
                </Button>
              )}
              <Button variant="default" leftSection={<Icon name="edit" size={16} />} onClick={() => setOpen('edit')}>
                {t('Edit')}
              </Button>
              <Button variant="default" leftSection={<Icon name="trash" size={16} />} onClick={() => void remove()}>
                {t('Delete')}
              </Button>
            </>
          )
        }
      />
      <Stack gap="md">
        <Panel title={t('About it')}>
          <Facts
            isGrid
            facts={[
              [
                t('Colour'),
                sku.color !== '' && (
                  <span key="color">
                    <ColorDot hex={sku.hex_code} />
                    {sku.color}
                  </span>
                ),
              ],
              [t('Filament'), sku.filament_type],
              [t('Pieces in one unit'), formatCount(sku.quantity)],
              [
                t('Ready'),
                stock ? (
                  <LinkText key="ready" to="/stock/$itemId" params={{ itemId: stock.id }}>
                    {formatCount(sku.stock_level)}
                  </LinkText>
                ) : (
                  formatCount(sku.stock_level)
                ),
              ],
              [t('Low at'), formatCount(sku.low_stock_threshold)],
              [t('Can be put together now'), sku.is_composite ? formatCount(sku.available_to_build) : null],
            ]}
          />
        </Panel>
        <Panel
          title={t('On the shelf')}
          actions={
            mayWrite && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon name="settings" size={16} />}
                onClick={() => setOpen('restock')}
              >
                {t('Set the shelf')}
              </Button>
            )
          }
        >
          {sku.restock_point === null ? (
            <Text c="dimmed">{t('It is made for orders only.')}</Text>
          ) : (
            <Text>
              {t('Restocked to {restock_to} when {restock_point} or fewer are in stock and on their way, {how}.', {
                restock_to: formatCount(sku.restock_to ?? 0),
                restock_point: formatCount(sku.restock_point),
                how: sku.auto_produce ? t('without being asked') : t('when a person requests it'),
              })}
            </Text>
          )}
        </Panel>
        <BomPanel sku={sku} />
        {maySeeCosts && <SkuCostPanel skuId={sku.id} />}
        <Panel title={t('Recipes in use')}>
          {sku.recipes.length === 0 ? (
            <Text c="dimmed">
              <Rich
                text="No recipe makes it. <link>Recipes stand on the page of the product</link>"
                values={{
                  link: (words) => (
                    <LinkText to="/products/$productId" params={{ productId: sku.product_id }}>
                      {words}
                    </LinkText>
                  ),
                }}
              />
              .
            </Text>
          ) : (
            <DataTable label={t('Recipes in use')} columns={recipeColumns} rows={sku.recipes} rowKey={({ id }) => id} />
          )}
        </Panel>
      </Stack>
      {isOpen === 'edit' && <SkuDialog product={{ id: sku.product_id, name }} sku={sku} onClose={close} />}
      {isOpen === 'restock' && <RestockDialog sku={sku} onClose={close} />}
      {isOpen === 'assemble' && <AssembleDialog sku={sku} onClose={close} />}
    </>
  )
}
