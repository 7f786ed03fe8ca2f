import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import type { Product, Recipe } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { recipesOfProductQuery } from '../products.api.ts'
import type { ProductActions } from '../use-product-actions.ts'
import { RecipeDialog } from './recipe-dialog.tsx'
import { RecipeTable } from './recipe-table.tsx'

interface RecipePanelProps extends Pick<ComponentProps<typeof RecipeDialog>, 'fileInput'> {
  product: Product
  actions: ProductActions
}

/** The recipes of a product, and a new one. */
export function RecipePanel({ product, actions, fileInput }: RecipePanelProps) {
  const mayWrite = useMay('write')
  const recipes = useQuery(recipesOfProductQuery(product.id))
  const [edited, setEdited] = useState<Recipe | 'new'>()
  const skuNames = new Map([
    ...product.skus.map(({ id, sku }) => [id, sku] as const),
    ...(product.kit?.parts ?? []).flatMap(({ variants }) =>
      variants.map(({ child_sku_id, child_sku }) => [child_sku_id, child_sku] as const),
    ),
  ])
  return (
    <Panel
      title={t('Recipes')}
      actions={
        mayWrite && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => setEdited('new')}
          >
            {t('Add a recipe')}
          </Button>
        )
      }
    >
      <QueryView query={recipes} failed={t('The recipes could not be read')}>
        {(rows) =>
          rows.length === 0 ? (
            <Text c="dimmed">
              {t(
                'No recipe yet. A recipe says which print file makes it and how many a plate yields; with it a job needs only a SKU and a quantity.',
              )}
            </Text>
          ) : (
            <RecipeTable
              recipes={rows}
              skuNames={skuNames}
              actions={actions}
              onEdit={mayWrite ? setEdited : undefined}
            />
          )
        }
      </QueryView>
      {edited && (
        <RecipeDialog
          product={product}
          {...(edited !== 'new' && { recipe: edited })}
          fileInput={fileInput}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Panel>
  )
}
