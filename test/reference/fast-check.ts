import {
  assert as assertAll,
  type IAsyncProperty,
  type IAsyncPropertyWithHooks,
  type IProperty,
  type IPropertyWithHooks,
  type Parameters,
} from 'fast-check';

export * from 'fast-check';

/** How many of the cases that a property asks for are looked at; PROPERTY_SHARE=1: all of them. */
const SHARE = Number(process.env.PROPERTY_SHARE ?? 0.3);
/** Fewer than these are not made less. */
const FEW = 12;

/** As many cases as the property asks for, or its share where they are many. */
const shared = <Ts>(parameters: Parameters<Ts>): Parameters<Ts> => {
  const { numRuns = 100 } = parameters;
  return { ...parameters, numRuns: Math.max(Math.min(numRuns, FEW), Math.ceil(numRuns * SHARE)) };
};

/** Runs a property on a share of the cases that it asks for. */
export function assert<Ts>(
  property: IAsyncProperty<Ts> | IAsyncPropertyWithHooks<Ts>,
  parameters?: Parameters<Ts>,
): Promise<void>;
export function assert<Ts>(property: IProperty<Ts> | IPropertyWithHooks<Ts>, parameters?: Parameters<Ts>): void;
export function assert<Ts>(
  property: IProperty<Ts> | IAsyncProperty<Ts>,
  parameters: Parameters<Ts> = {},
): Promise<void> | undefined {
  // What is returned for a property that is not asynchronous is undefined.
  return assertAll(property as IAsyncProperty<Ts>, shared(parameters));
}
