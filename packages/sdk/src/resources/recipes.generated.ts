// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on recipes. */
export class Recipes {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List recipes, the newest first.
   *
   * Recipes of SKUs: print files, and the units that one plate of each yields.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listRecipes`.
   */
  list(query?: Query<api.ListRecipesData>, options?: RequestOptions): List<api.ListRecipesResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/recipes', query, options })
  }

  /**
   * Add a recipe: how a SKU is made.
   *
   * A SKU may have several, one for each printer model or batch size. A product, SKU and file go together once.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createRecipe`.
   */
  create(body: Body<api.CreateRecipeData>, options?: RequestOptions): Call<api.CreateRecipeResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/recipes', json: body, options })
  }

  /**
   * Get a recipe.
   *
   * The print file, and the units that one plate of it yields.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getRecipe`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetRecipeResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/recipes/${encodeURIComponent(id)}`, options })
  }

  /**
   * Change a recipe.
   *
   * Fields that are left out stay as they are. Jobs that were made by it stay as they are.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateRecipe`.
   */
  update(id: string, body: Body<api.UpdateRecipeData>, options?: RequestOptions): Call<api.UpdateRecipeResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/recipes/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Delete a recipe.
   *
   * Jobs that were made by it stay as they are.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deleteRecipe`.
   */
  delete(id: string, options?: RequestOptions): Call<api.DeleteRecipeResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/recipes/${encodeURIComponent(id)}`, options })
  }
}
