// When a mounted component has really left the page. Streamlit calls a component again with each new data, and runs what the call
// returned when the component goes; but also when newer data came before the call was through. Then the component is still there,
// and what it holds (typed words, the focus, listeners) must stay.

// What a component's call returns: `end()` is called only if the component's element is no longer on the page.
export const whenUnmounted = (element, end) => () => {
  if (!element.isConnected) end();
};
