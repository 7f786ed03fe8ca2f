import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'

/**
 * Lets the pictures of a gallery (elements with `data-image-id`) be dragged to the place of another one, which shows itself by
 * `data-drop`. Answers what ends it.
 */
export function followPictures(gallery: HTMLElement, onDrop: (id: string, overId: string) => void): () => void {
  const pictures = [...gallery.querySelectorAll<HTMLElement>('[data-image-id]')]
  const unmark = () => {
    for (const picture of pictures) delete picture.dataset.drop
  }
  const ends = pictures.map((picture) => {
    const id = picture.dataset.imageId ?? ''
    return combine(
      draggable({ element: picture, getInitialData: () => ({ imageId: id }) }),
      dropTargetForElements({
        element: picture,
        canDrop: ({ source }) => typeof source.data.imageId === 'string' && source.data.imageId !== id,
        getData: () => ({ imageId: id }),
        onDragEnter: () => {
          picture.dataset.drop = 'true'
        },
        onDragLeave: unmark,
      }),
    )
  })
  const watch = monitorForElements({
    onDrop: ({ source, location }) => {
      unmark()
      const target = location.current.dropTargets[0]?.data
      if (target) onDrop(String(source.data.imageId), String(target.imageId))
    },
  })
  return combine(...ends, watch)
}
