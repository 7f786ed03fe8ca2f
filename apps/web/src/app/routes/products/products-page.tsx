import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FileSelect } from '../../../features/files/file-select.tsx'
import { KitDialog } from '../../../features/products/kit/kit-dialog.tsx'
import { productFiltersOf } from '../../../features/products/list/product-search.ts'
import { ProductTable } from '../../../features/products/list/product-table.tsx'
import { ProductDialog } from '../../../features/products/product-dialog.tsx'
import { productListQuery } from '../../../features/products/products.api.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { ProductBar } from './product-bar.tsx'

const route = getRouteApi('/member/shell/products')

export function ProductsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const list = useInfiniteQuery(productListQuery(productFiltersOf(search)))
  const mayWrite = useMay('write')
  const [isAdding, adding] = useDisclosure(false)
  const [isAddingKit, addingKit] = useDisclosure(false)
  const open = (productId: string) => void navigate({ to: '/products/$productId', params: { productId } })
  const isFiltered = Object.keys(search).length > 0
  const add = mayWrite && (
    <Button data-adds leftSection={<Icon name="plus" size={16} />} onClick={adding.open}>
      {t('Add a product')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('Products')}
        description={t('Products of the farm, and how they are made.')}
        actions={
          mayWrite && (
            <>
              {add}
              <Button variant="default" leftSection={<Icon name="assembly" size={16} />} onClick={addingKit.open}>
                {t('Add a kit')}
              </Button>
            </>
          )
        }
      />
      <ProductBar search={search} />
      <QueryView query={list} failed={t('The products could not be read')}>
        {(data) => {
          const products = rowsOf(data) ?? []
          if (products.length > 0) return <ProductTable products={products} {...morePages(list)} />
          if (isFiltered) {
            return (
              <EmptyState
                icon="search"
                title={t('No product matches')}
                action={
                  <LinkButton to="/products" search={{}} variant="default">
                    {t('Show those in use')}
                  </LinkButton>
                }
              />
            )
          }
          return (
            <EmptyState icon="product" title={t('No product yet')} action={add}>
              {t('A product has a SKU for each variant that is sold. Recipes say which print file makes them.')}
            </EmptyState>
          )
        }}
      </QueryView>
      {isAdding && <ProductDialog onClose={adding.close} onSaved={({ id }) => open(id)} />}
      {isAddingKit && (
        <KitDialog
          fileInput={(props) => <FileSelect {...props} placeholder={t('None')} />}
          onClose={addingKit.close}
          onSaved={({ id }) => open(id)}
        />
      )}
    </>
  )
}
