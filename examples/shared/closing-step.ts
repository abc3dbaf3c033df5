type PrepareStep = (step: { readonly stepNumber: number }) => { readonly toolChoice?: 'none' };

/**
 * Returns a `prepareStep` with which the model answers without tools behind its last step with them, as it does if the provider
 * runs them. `stopWhen` has to allow one step more.
 */
export function closingStep(maxSteps: number, onClosing?: () => void): PrepareStep {
  return ({ stepNumber }) => {
    if (stepNumber < maxSteps) return {};
    onClosing?.();
    return { toolChoice: 'none' };
  };
}
