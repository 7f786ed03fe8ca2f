import { Menu, Text } from '@mantine/core'
import type { Recipe } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { RowMenu } from '../../../ui/lists/row-menu.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { ThingLink } from '../../../ui/thing-link.tsx'
import type { ProductActions } from '../use-product-actions.ts'

interface RecipeTableProps {
  recipes: readonly Recipe[]
  /** SKUs of the product by their IDs. */
  skuNames: ReadonlyMap<string, string>
  actions: ProductActions
  /** Undefined: the reader may only look. */
  onEdit: ((recipe: Recipe) => void) | undefined
}

/** How the SKUs of a product are made, the preferred recipe first. */
export function RecipeTable({ recipes, skuNames, actions, onEdit }: RecipeTableProps) {
  const columns: Column<Recipe>[] = [
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
      cell: ({ print_file_id, file_name, file_deleted }) =>
        file_deleted ? (
          t('{file_name} (deleted)', { file_name })
        ) : (
          <LinkText to="/files/$fileId" params={{ fileId: print_file_id }}>
            {file_name}
          </LinkText>
        ),
    },
    {
      key: 'makes',
      label: t('Makes'),
      cell: ({ product_sku_id }) =>
        product_sku_id === null ? (
          t('Every SKU that fits')
        ) : (
          <ThingLink id={product_sku_id}>{skuNames.get(product_sku_id) ?? t('A SKU of a kit part')}</ThingLink>
        ),
    },
    {
      key: 'units',
      label: t('A plate yields'),
      cell: ({ units_per_plate, also_makes }) =>
        `${t('{units_per_plate, plural, one {# unit} other {# units}}', { units_per_plate })}${
          also_makes.length === 0
            ? ''
            : t(', and {sumOf} of {also_makes, plural, one {# other SKU} other {# other SKUs}}', {
                sumOf: formatCount(sumOf(also_makes)),
                also_makes: also_makes.length,
              })
        }`,
    },
    {
      key: 'model',
      label: t('Printer'),
      cell: ({ printer_model }) =>
        printer_model === null ? (
          t('Any')
        ) : (
          <LinkText to="/printers" search={{ model: printer_model }}>
            {printer_model}
          </LinkText>
        ),
    },
    { key: 'rank', label: t('Rank'), align: 'right', cell: ({ rank }) => formatCount(rank) },
    {
      key: 'state',
      label: t('State'),
      cell: ({ is_active }) => (
        <StatusBadge tone={is_active ? 'done' : 'away'}>{is_active ? t('In use') : t('Out of use')}</StatusBadge>
      ),
    },
  ]
  if (onEdit) {
    columns.push({
      key: 'actions',
      label: t('Actions'),
      align: 'right',
      cell: (recipe) => (
        <RowMenu
          label={t('Actions for the recipe {name}', { name: recipe.name })}
          isBusy={actions.busyId === recipe.id}
        >
          <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={() => onEdit(recipe)}>
            {t('Edit…')}
          </Menu.Item>
          {(recipe.is_active || !recipe.file_deleted) && (
            <Menu.Item
              leftSection={<Icon name={recipe.is_active ? 'pause' : 'play'} size={16} />}
              onClick={() => void actions.setRecipeInUse(recipe, !recipe.is_active)}
            >
              {recipe.is_active ? t('Take out of use') : t('Put into use')}
            </Menu.Item>
          )}
          <Menu.Item
            color="red"
            leftSection={<Icon name="trash" size={16} />}
            onClick={() => void actions.removeRecipe(recipe)}
          >
            {t('Delete…')}
          </Menu.Item>
        </RowMenu>
      ),
    })
  }
  const inOrder = recipes.toSorted((a, b) => Number(b.is_active) - Number(a.is_active) || a.rank - b.rank)
  return <DataTable label={t('Recipes')} columns={columns} rows={inOrder} rowKey={({ id }) => id} />
}

function sumOf(outputs: Recipe['also_makes']): number {
  return outputs.reduce((sum, { units }) => sum + units, 0)
}
