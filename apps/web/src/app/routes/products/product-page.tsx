import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FileSelect } from '../../../features/files/file-select.tsx'
import { KitPanel } from '../../../features/products/kit/kit-panel.tsx'
import { ProductGallery } from '../../../features/products/page/product-gallery.tsx'
import { SkuTable } from '../../../features/products/page/sku-table.tsx'
import { ProductDialog } from '../../../features/products/product-dialog.tsx'
import { productQuery } from '../../../features/products/products.api.ts'
import { RecipePanel } from '../../../features/products/recipes/recipe-panel.tsx'
import { useProductActions } from '../../../features/products/use-product-actions.ts'
import type { Product } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { Facts } from '../../../ui/lists/facts.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { Time } from '../../../ui/time.tsx'

const route = getRouteApi('/member/shell/products/$productId')

export function ProductPage() {
  const { productId } = route.useParams()
  const found = useQuery(productQuery(productId))
  return (
    <QueryView query={found} failed={t('The product could not be read')}>
      {(product) => <ProductView product={product} />}
    </QueryView>
  )
}

function ProductView({ product }: { product: Product }) {
  const navigate = useNavigate()
  const mayWrite = useMay('write')
  const actions = useProductActions()
  const [isEditing, setEditing] = useState(false)
  const { name, category, description, is_active } = product
  const remove = async () => {
    if (await actions.removeProduct(product)) void navigate({ to: '/products', search: {} })
  }
  return (
    <>
      <PageHeader
        title={name}
        badge={!is_active && <StatusBadge tone="away">{t('Out of use')}</StatusBadge>}
        description={
          <>
            <LinkText to="/products">{t('Products')}</LinkText>
            {category !== '' && (
              <>
                {' · '}
                <LinkText to="/products" search={{ category }}>
                  {category}
                </LinkText>
              </>
            )}
          </>
        }
        actions={
          mayWrite && (
            <>
              {!is_active && (
                <Button
                  leftSection={<Icon name="retry" size={16} />}
                  loading={actions.busyId === product.id}
                  onClick={() => void actions.reuseProduct(product)}
                >
                  {t('Put back into use')}
                </Button>
              )}
              <Button variant="default" leftSection={<Icon name="edit" size={16} />} onClick={() => setEditing(true)}>
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
          {description !== '' && <Text className="break-anywhere">{description}</Text>}
          <Facts
            isGrid
            facts={[
              [t('Printed pieces'), product.requires_assembly ? t('Are assembled first') : t('Are ready')],
              [
                t('After printing'),
                product.requires_post_processing ? t('Needs work such as sanding') : t('Nothing to do'),
              ],
              [t('Added'), <Time key="added" at={product.created_at} />],
              [t('Changed'), <Time key="changed" at={product.updated_at} />],
            ]}
          />
        </Panel>
        <SkuTable product={product} actions={actions} />
        <RecipePanel
          product={product}
          actions={actions}
          fileInput={(props) => (
            <FileSelect {...props} placeholder={t('Choose a sliced file')} required clearable={false} />
          )}
        />
        <KitPanel product={product} fileInput={(props) => <FileSelect {...props} placeholder={t('None')} />} />
        <ProductGallery product={product} actions={actions} />
      </Stack>
      {isEditing && <ProductDialog product={product} onClose={() => setEditing(false)} />}
    </>
  )
}
