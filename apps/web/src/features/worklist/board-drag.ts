import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'

/** Lets a card be dragged; `key` is told to the column that it is dropped on. Answers what ends it. */
export function letDrag(element: HTMLElement, key: string): () => void {
  const show = (isDragged: boolean) => element.toggleAttribute('data-dragging', isDragged)
  return draggable({
    element,
    getInitialData: () => ({ errand: key }),
    onDragStart: () => show(true),
    onDrop: () => show(false),
  })
}

/** Lets cards be dropped on a column. Answers what ends it. */
export function letDrop(element: HTMLElement, onDrop: (key: string) => void): () => void {
  const show = (isOver: boolean) => element.toggleAttribute('data-over', isOver)
  return combine(
    dropTargetForElements({
      element,
      canDrop: ({ source }) => typeof source.data.errand === 'string',
      onDragEnter: () => show(true),
      onDragLeave: () => show(false),
      onDrop({ source }) {
        show(false)
        onDrop(String(source.data.errand))
      },
    }),
    () => show(false),
  )
}
