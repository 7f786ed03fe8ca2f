import { api } from '../../lib/api/api.ts'
import type { Sent } from '../../lib/api/send-telling.ts'
import { t } from '../../lib/i18n/t.ts'
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
      failed: t('{name} could not be deleted', { name }),
    })
    if (isDone)
      toastDone(isGone ? t('{name} is deleted', { name }) : t('{name} is out of use: records name it', { name }))
    return isGone
  }

  return {
    busyId,
    removeProduct: (product: Named) =>
      removeUnlessNamed(
        product,
        {
          title: t('Delete {name}?', { name: product.name }),
          body: t(
            'Its SKUs, recipes and pictures go with it. What orders, jobs or movements of stock name stays, out of use.',
          ),
          confirmLabel: t('Delete the product'),
        },
        () => api.call('DELETE /products/{id}', { params: { id: product.id } }),
      ),
    removeSku: (sku: Named) =>
      removeUnlessNamed(
        sku,
        {
          title: t('Delete {name}?', { name: sku.name }),
          body: t(
            'Its recipes and its bill of materials go with it. If orders, jobs or movements of stock name it, it stays, out of use.',
          ),
          confirmLabel: t('Delete the SKU'),
        },
        () => api.call('DELETE /skus/{id}', { params: { id: sku.id } }),
      ),
    reuseProduct: ({ id, name }: Named) =>
      perform({
        id,
        call: () => api.call('PATCH /products/{id}', { params: { id }, body: { is_active: true } }),
        done: t('{name} is back in use', { name }),
        failed: t('{name} could not be brought back into use', { name }),
      }),
    setSkuInUse: ({ id, name }: Named, isActive: boolean) =>
      perform({
        id,
        call: () => api.call('PATCH /skus/{id}', { params: { id }, body: { is_active: isActive } }),
        done: isActive ? t('{name} is in use', { name }) : t('{name} is out of use', { name }),
        failed: t('{name} could not be changed', { name }),
      }),
    setRecipeInUse: ({ id, name }: Named, isActive: boolean) =>
      perform({
        id,
        call: () => api.call('PATCH /recipes/{id}', { params: { id }, body: { is_active: isActive } }),
        done: isActive ? t('New jobs may be made by {name}', { name }) : t('No new job is made by {name}', { name }),
        failed: t('{name} could not be changed', { name }),
      }),
    removeRecipe: ({ id, name }: Named) =>
      perform({
        id,
        question: {
          title: t('Delete the recipe {name}?', { name }),
          body: t('Jobs that were made by it stay as they are. The print file stays, too.'),
          confirmLabel: t('Delete the recipe'),
          isDangerous: true,
        },
        call: () => api.call('DELETE /recipes/{id}', { params: { id } }),
        done: t('The recipe {name} is deleted', { name }),
        failed: t('The recipe {name} could not be deleted', { name }),
      }),
    removeImage: (product: Named, imageId: string, number: number) =>
      perform({
        id: imageId,
        question: {
          title: t('Delete picture {number} of {name}?', { number, name: product.name }),
          body: t('The images after it move up. Shops that show it by its address show no image there.'),
          confirmLabel: t('Delete the picture'),
          isDangerous: true,
        },
        call: () => api.call('DELETE /products/{id}/images/{imageId}', { params: { id: product.id, imageId } }),
        done: t('The picture is deleted'),
        failed: t('The picture could not be deleted'),
      }),
    orderImages: (product: Named, imageIds: string[]) =>
      perform({
        id: product.id,
        call: () =>
          api.call('PUT /products/{id}/images/order', { params: { id: product.id }, body: { image_ids: imageIds } }),
        failed: t('The pictures could not be put in this order'),
      }),
    addImage: (product: Named, file: File, onSent: (sent: Sent) => void) =>
      perform({
        id: product.id,
        call: () => {
          const body = new FormData()
          body.set('image', file, file.name)
          return api.call('POST /products/{id}/images', { params: { id: product.id }, body, onSent })
        },
        failed: t('{name} could not be added', { name: file.name }),
      }),
  }
}

export type ProductActions = ReturnType<typeof useProductActions>
