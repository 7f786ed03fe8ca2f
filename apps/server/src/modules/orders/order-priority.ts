/** Priorities of an order, among those that are to be shipped by the same time. */
export const orderPriorities = ['low', 'normal', 'high', 'urgent'] as const
