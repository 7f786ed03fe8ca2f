// Calls the service by the client that oapi-codegen makes of its API description, and prints what it saw.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"

	api "printyard/client/api"
)

type refusal struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
}

type seen struct {
	Listed   int      `json:"listed"`
	Enqueued string   `json:"enqueued"`
	Pages    [][]string `json:"pages"`
	Missing  refusal  `json:"missing"`
	Limited  refusal  `json:"limited"`
	Later    []string `json:"later"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	ctx := context.Background()
	client, err := connect(os.Getenv("SERVICE_URL"))
	if err != nil {
		return err
	}
	var result seen

	first, err := client.ListJobsWithResponse(ctx, &api.ListJobsParams{})
	if err != nil {
		return err
	}
	if first.JSON200 == nil {
		return errors.New("list: " + first.Status())
	}
	result.Listed = len(first.JSON200.Data)

	units := int32(2)
	fileId := os.Getenv("FILE_ID")
	added, err := client.EnqueueJobWithResponse(ctx, &api.EnqueueJobParams{}, api.EnqueueJobRequest{
		PrintFileId: &fileId, NumberOfUnits: &units,
	})
	if err != nil {
		return err
	}
	if added.JSON201 == nil {
		return fmt.Errorf("enqueue: %s %s", added.Status(), added.Body)
	}
	result.Enqueued = added.JSON201.Data.Id

	limit := int32(2)
	params := &api.ListJobsParams{Limit: &limit}
	for {
		page, err := client.ListJobsWithResponse(ctx, params)
		if err != nil {
			return err
		}
		if page.JSON200 == nil {
			return errors.New("page: " + page.Status())
		}
		ids := []string{}
		for _, job := range page.JSON200.Data {
			ids = append(ids, job.Id)
		}
		result.Pages = append(result.Pages, ids)
		if page.JSON200.Meta.NextCursor == nil {
			break
		}
		params.Cursor = page.JSON200.Meta.NextCursor
	}

	missing, err := client.GetJobWithResponse(ctx, "job_none", &api.GetJobParams{})
	if err != nil {
		return err
	}
	if missing.JSON404 == nil {
		return errors.New("missing: " + missing.Status())
	}
	result.Missing = refusal{missing.StatusCode(), missing.JSON404.Error.Code}

	later, err := connect(os.Getenv("LATER_URL"))
	if err != nil {
		return err
	}
	changed, err := later.ListJobsWithResponse(ctx, &api.ListJobsParams{})
	if err != nil {
		return err
	}
	if changed.JSON200 == nil {
		return errors.New("later: " + changed.Status())
	}
	for _, job := range changed.JSON200.Data {
		result.Later = append(result.Later, *job.Status)
	}

	for calls := 0; calls < 200 && result.Limited.Status == 0; calls++ {
		answer, err := client.ListJobsWithResponse(ctx, &api.ListJobsParams{})
		if err != nil {
			return err
		}
		if answer.JSON429 != nil {
			result.Limited = refusal{answer.StatusCode(), answer.JSON429.Error.Code}
		}
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}

func connect(url string) (*api.ClientWithResponses, error) {
	return api.NewClientWithResponses(url, api.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
		return nil
	}))
}
