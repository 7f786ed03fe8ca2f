import Type, { type Static } from 'typebox'
import type { PageFilter } from '../../../db/page-bounds.ts'
import {
  answer,
  clearableText,
  idOf,
  nullable,
  pageQuery,
  request,
  resource,
  text,
  timestamp,
} from '../../../http/schema.ts'
import type { RecipeOutput, RecipeRow } from './recipes.queries.ts'

/** The most SKUs that one plate yields besides that of its recipe. */
const mostAlsoMade = 50

const largestRank = 1_000_000
export const mostUnitsPerPlate = 100_000

const name = text(1, 200, 'Name, for people')
const fileId = idOf('printFile', 'The sliced print file; its current version is printed')
const skuId = 'The SKU that it makes; without it, every SKU of the product whose filament type the file can print'
const units = (description: string) => Type.Integer({ minimum: 1, maximum: mostUnitsPerPlate, description })
const rank = Type.Integer({ minimum: 0, maximum: largestRank, description: 'The smallest is preferred; default: 0' })
const isActive = Type.Boolean({ description: 'Whether new jobs are made by it' })
const notes = clearableText(2000, 'Anything worth knowing, for people; null or empty: nothing')
const alsoMakes = Type.Array(
  request({
    product_sku_id: idOf('sku', 'A SKU that is sold, of any product'),
    units: units('Units of it that one plate yields'),
  }),
  { maxItems: mostAlsoMade, description: 'Other output of a mixed plate, each SKU once' },
)

export const NewRecipeBody = request({
  name: Type.Optional(text(1, 200, 'Name, for people; default: that of the file')),
  product_id: Type.Optional(idOf('product', 'The product that it makes; default: that of product_sku_id')),
  product_sku_id: Type.Optional(nullable(idOf('sku', skuId))),
  print_file_id: fileId,
  units_per_plate: Type.Optional(
    units('Units that one plate yields; default: the objects that the file names, less the other SKUs that it makes'),
  ),
  also_makes: Type.Optional(alsoMakes),
  rank: Type.Optional(rank),
  is_active: Type.Optional(isActive),
  notes: Type.Optional(notes),
})
export type NewRecipe = Static<typeof NewRecipeBody>

export const RecipeChangesBody = request(
  {
    name: Type.Optional(name),
    product_sku_id: Type.Optional(nullable(idOf('sku', `${skuId}: null`))),
    print_file_id: Type.Optional(fileId),
    units_per_plate: Type.Optional(units('Units that one plate yields')),
    also_makes: Type.Optional(alsoMakes),
    rank: Type.Optional(rank),
    is_active: Type.Optional(isActive),
    notes: Type.Optional(notes),
  },
  { minProperties: 1 },
)
export type RecipeChanges = Static<typeof RecipeChangesBody>

export const RecipesQuery = request({
  ...pageQuery,
  product_id: Type.Optional(idOf('product', 'Only recipes of this product')),
  product_sku_id: Type.Optional(idOf('sku', 'Only recipes that serve this SKU, those of its whole product among them')),
  print_file_id: Type.Optional(idOf('printFile', 'Only recipes that print this file')),
  is_active: Type.Optional(Type.Boolean({ description: 'Only recipes that are in use, or only those that are not' })),
})
export type RecipeFilter = PageFilter<Static<typeof RecipesQuery>>

export const Recipe = resource('Recipe', 'Recipe of a SKU: a print file, and the units that one plate of it yields', {
  id: Type.String({ description: 'ID of the recipe' }),
  name: Type.String({ description: 'Name, for people' }),
  product_id: Type.String({ description: 'The product that it makes' }),
  product_sku_id: nullable(
    Type.String({ description: 'The SKU that it makes; null: every one of the product that the file can print' }),
  ),
  print_file_id: Type.String({ description: 'The print file' }),
  file_name: Type.String({ description: 'Name of the print file' }),
  file_deleted: Type.Boolean({ description: 'Whether the file is gone; such a recipe cannot be used again' }),
  printer_model: nullable(Type.String({ description: 'Model that the file is sliced for; null: any' })),
  units_per_plate: Type.Integer({ description: 'Units that one plate yields' }),
  also_makes: Type.Array(
    answer({
      product_sku_id: Type.String({ description: 'The SKU' }),
      units: Type.Integer({ description: 'Units of it that one plate yields' }),
    }),
    { description: 'Other output of a mixed plate' },
  ),
  rank: Type.Integer({ description: 'The smallest is preferred' }),
  is_active: Type.Boolean({ description: 'Whether new jobs are made by it' }),
  notes: Type.String({ description: 'Anything worth knowing; empty for nothing' }),
  created_at: timestamp('Time at which the recipe was created'),
  updated_at: timestamp('Time at which the recipe last changed'),
})

export const DeletedRecipe = resource('DeletedRecipe', 'The recipe that is gone', {
  id: Type.String({ description: 'ID of the recipe that was deleted' }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

/** Answers what a plate yields besides, in the order in which it was given. */
export function alsoMadeInOrder({ also_makes }: Pick<RecipeRow, 'also_makes'>): RecipeOutput[] {
  return also_makes
    .toSorted((a, b) => a.position - b.position)
    .map(({ product_sku_id, units }) => ({ product_sku_id, units }))
}

export function presentRecipe(recipe: RecipeRow): Static<typeof Recipe> {
  return {
    id: recipe.id,
    name: recipe.name,
    product_id: recipe.product_id,
    product_sku_id: recipe.product_sku_id,
    print_file_id: recipe.print_file_id,
    file_name: recipe.file_name,
    file_deleted: recipe.file_deleted,
    printer_model: recipe.printer_model,
    units_per_plate: recipe.units_per_plate,
    also_makes: alsoMadeInOrder(recipe),
    rank: recipe.rank,
    is_active: recipe.is_active,
    notes: recipe.notes,
    created_at: recipe.created_at.toISOString(),
    updated_at: recipe.updated_at.toISOString(),
  }
}
