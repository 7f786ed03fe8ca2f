import { lazyRouteComponent } from '@tanstack/react-router'
import { MissingPart } from './missing-part.ts'

/** A page in a file of its own, which is fetched when it is first shown. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((error: unknown) => {
        throw new MissingPart(error)
      }),
    name,
  )
