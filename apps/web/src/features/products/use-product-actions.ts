import { api } from '../../lib/api/api.ts'
import { toastDone } from '../../ui/dialogs/toast.tsx'
import { useActions } from '../../ui/dialogs/use-actions.ts'

interface Named {
  id: string
  name: string
}

/** What a person does with a product, its SKUs and its recipes by one button. */
export function useProductActions() {
  const { busyId, perform } = useActions('products', 'skus', 'recipes', 'stock')

  /** Answers whether it is gone: what records name stays, out of use. */
  async function removeUnlessNamed(
    { id, name }: Named,
    what: { title: string; body: string; confirmLabel: string },
    call: () => Promise<{ deleted: boolean }>,
  ): Promise<boolean> {
    let isGone = false
    const isDone = await perform({
      id,
      question: { ...what, isDangerous: true },
      call: async () => {
        isGone = (await call()).deleted
      },
      failed: `${name} could not be deleted`,
    })
    if (isDone) toastDone(isGone ? `${name} is deleted` : `${name} is out of use: records name it`)
    return isGone
  }

  return {
    busyId,
    removeProduct: (product: Named) =>
      removeUnlessNamed(
        product,
        {
          title: `Delete ${product.name}?`,
          body: 'Its SKUs, recipes and pictures go with it. What orders, jobs or movements of stock name stays, out of use.',
          confirmLabel: 'Delete the product',
        },
        () => api.call('DELETE /products/{id}', { params: { id: product.id } }),
      ),
    removeSku: (sku: Named) =>
      removeUnlessNamed(
        sku,
        {
          title: `Delete ${sku.name}?`,
          body: 'Its recipes and its bill of materials go with it. If orders, jobs or movements of stock name it, it stays, out of use.',
          confirmLabel: 'Delete the SKU',
        },
        () => api.call('DELETE /skus/{id}', { params: { id: sku.id } }),
      ),
    reuseProduct: ({ id, name }: Named) =>
      perform({
        id,
        call: () => api.call('PATCH /products/{id}', { params: { id }, body: { is_active: true } }),
        done: `${name} is back in use`,
        failed: `${name} could not be brought back into use`,
      }),
    setSkuInUse: ({ id, name }: Named, isActive: boolean) =>
      perform({
        id,
        call: () => api.call('PATCH /skus/{id}', { params: { id }, body: { is_active: isActive } }),
        done: isActive ? `${name} is in use` : `${name} is out of use`,
        failed: `${name} could not be changed`,
      }),
    setRecipeInUse: ({ id, name }: Named, isActive: boolean) =>
      perform({
        id,
        call: () => api.call('PATCH /recipes/{id}', { params: { id }, body: { is_active: isActive } }),
        done: isActive ? `New jobs may be made by ${name}` : `No new job is made by ${name}`,
        failed: `${name} could not be changed`,
      }),
    removeRecipe: ({ id, name }: Named) =>
      perform({
        id,
        question: {
          title: `Delete the recipe ${name}?`,
          body: 'Jobs that were made by it stay as they are. The print file stays, too.',
          confirmLabel: 'Delete the recipe',
          isDangerous: true,
        },
        call: () => api.call('DELETE /recipes/{id}', { params: { id } }),
        done: `The recipe ${name} is deleted`,
        failed: `The recipe ${name} could not be deleted`,
      }),
    removeImage: (product: Named, imageId: string, number: number) =>
      perform({
        id: imageId,
        question: {
          title: `Delete picture ${number} of ${product.name}?`,
          body: 'Those after it move up. Shops that show it by its address show nothing there.',
          confirmLabel: 'Delete the picture',
          isDangerous: true,
        },
        call: () => api.call('DELETE /products/{id}/images/{imageId}', { params: { id: product.id, imageId } }),
        done: 'The picture is deleted',
        failed: 'The picture could not be deleted',
      }),
    orderImages: (product: Named, imageIds: string[]) =>
      perform({
        id: product.id,
        call: () =>
          api.call('PUT /products/{id}/images/order', { params: { id: product.id }, body: { image_ids: imageIds } }),
        failed: 'The pictures could not be put in this order',
      }),
    addImage: (product: Named, file: File) =>
      perform({
        id: product.id,
        call: () => {
          const body = new FormData()
          body.set('image', file, file.name)
          return api.call('POST /products/{id}/images', { params: { id: product.id }, body })
        },
        failed: `${file.name} could not be added`,
      }),
  }
}

export type ProductActions = ReturnType<typeof useProductActions>
